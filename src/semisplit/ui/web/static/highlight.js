// The colours of descriptions: which class each piece of text has.

const rbg = new RegExp([
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
  /(?<directive>#[A-Za-z_]\w*)/,
  /(?<switch>->>?\s*\w*)/,
  /(?<test>\{[?!$]?[^{}\n;]{0,60}\})/,
  /(?<off>\[[^[\]\n]{0,80}\])/,
  /(?<number>\b\d+\b)/,
  /(?<name>[A-Za-z_]\w*)/,
].map(part => part.source).join("|"), "g");

const gdl = new RegExp([
  /(?<comment>;[^\n]*)/,
  /(?<variable>\?[^\s()]+)/,
  /(?<directive><=|(?<=\()(?:role|init|true|next|legal|does|goal|terminal|distinct|not|or|input|base)(?=[\s)])|\bterminal\b)/,
  /(?<number>\b\d+\b)/,
  /(?<name>[^\s()]+)/,
].map(part => part.source).join("|"), "g");

/** Pieces of a text in order: where they begin and end, and their class. */
export function* tokens(text, language) {
  for (const found of text.matchAll(language === "gdl" ? gdl : rbg)) {
    const [kind] = Object.entries(found.groups).find(([, value]) => value !== undefined);
    if (kind !== "name") yield { start: found.index, end: found.index + found[0].length, kind };
  }
}

/** The language of a description, told by its name or its beginning. */
export function languageOf(name, text) {
  if (/\.(kif|gdl)$/i.test(name)) return "gdl";
  if (/\.rbg$/i.test(name)) return "rbg";
  return /^\s*[(;]/.test(text) ? "gdl" : "rbg";
}
