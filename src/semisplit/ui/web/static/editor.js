// A field for descriptions: what is typed lies over the same text in colours, with problems underlined.

import { fill, h } from "./dom.js";
import { languageOf, tokens } from "./highlight.js";

/** An editor; `onchange` is called after each change. */
export class Editor {
  constructor(onchange) {
    this.name = "";
    this.problems = [];
    this.numbers = h("pre", { className: "numbers-column", "aria-hidden": "true" });
    this.colours = h("pre", { className: "colours", "aria-hidden": "true" });
    this.field = h("textarea", { className: "source", spellcheck: false, wrap: "off", autocapitalize: "off", "aria-label": "Description", "data-testid": "source" });
    this.element = h("div", { className: "editor" }, this.numbers, h("div", { className: "sheet" }, this.colours, this.field));
    this.field.addEventListener("input", () => {
      // Where something was changed nothing is known until it is checked again.
      this.problems = [];
      this.paint();
      onchange();
    });
    this.field.addEventListener("scroll", () => this.align());
    this.field.addEventListener("keydown", event => {
      if (event.key === "Tab" && !event.shiftKey) {
        event.preventDefault();
        this.insert("    ");
      }
    });
  }

  get text() {
    return this.field.value;
  }

  /** Show another description. */
  open(name, text) {
    this.name = name;
    this.field.value = text;
    this.problems = [];
    this.field.scrollTop = 0;
    this.paint();
  }

  /** Underline problems. */
  mark(problems) {
    this.problems = problems;
    this.paint();
  }

  /** Type something where the cursor is; it can be undone. */
  insert(text) {
    this.field.focus();
    document.execCommand("insertText", false, text);
  }

  /** Write something instead of a stretch of text; it can be undone. */
  replace(start, end, text) {
    this.field.focus();
    this.field.setSelectionRange(start, end);
    this.insert(text);
  }

  /** Go to a stretch of text. */
  go(start, end) {
    this.field.focus();
    this.field.setSelectionRange(start, Math.max(end, start));
    const line = this.text.slice(0, start).split("\n").length;
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = Math.max(0, (line - 4) * height);
  }

  align() {
    const { scrollTop, scrollLeft } = this.field;
    this.colours.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-scrollTop}px)`;
  }

  paint() {
    const { text, problems } = this;
    const edges = [];
    for (const { start, end, kind } of tokens(text, languageOf(this.name, text))) edges.push({ start, end, kind });
    const children = [];
    const piece = (from, to, kind) => {
      // A problem may begin or end inside of a token.
      const cuts = problems.flatMap(one => [one.start, Math.max(one.end, one.start + 1)]).filter(cut => cut > from && cut < to);
      const points = [from, ...new Set(cuts.sort((a, b) => a - b)), to];
      for (let i = 0; i + 1 < points.length; i++) {
        const [start, end] = [points[i], points[i + 1]];
        const problem = problems.find(one => one.start <= start && Math.max(one.end, one.start + 1) >= end);
        const content = text.slice(start, end);
        const classes = [kind, problem && `squiggle ${problem.severity}`].filter(Boolean).join(" ");
        children.push(classes ? h("span", { className: classes, textContent: content }) : content);
      }
    };
    let at = 0;
    for (const { start, end, kind } of edges) {
      if (start > at) piece(at, start, "");
      piece(start, end, kind);
      at = end;
    }
    if (at < text.length) piece(at, text.length, "");
    fill(this.colours, children, "\n");
    const lines = text.split("\n").length;
    if (this.numbers.dataset.lines !== String(lines)) {
      this.numbers.dataset.lines = lines;
      this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    }
    this.align();
  }
}
