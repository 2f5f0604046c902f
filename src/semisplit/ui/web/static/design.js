// Design: descriptions are written, checked as one types, played at once, and examined.

import { Board } from "./board.js";
import { gameChooser } from "./choosers.js";
import { ask, end } from "./connection.js";
import { parts } from "./document.js";
import { button, fill, h } from "./dom.js";
import { Editor } from "./editor.js";
import { choose, keep } from "./files.js";
import { game, open } from "./game.js";
import { tell, trying } from "./notice.js";

const pause = 250;
const seconds = 6;

/** What is being written, as long as the page is open. */
const draft = { name: "", text: "" };

/** Show the view; gives a function that leaves it. */
export async function show(place, catalogue) {
  const board = new Board({});
  const name = h("input", { "aria-label": "Name of the file", "data-testid": "name", spellcheck: false });
  const problems = h("ul", { className: "problems", "data-testid": "problems", "aria-live": "polite" });
  const report = h("div", { className: "report", "data-testid": "report" });
  const chooser = h("span", { className: "chooser" });
  const editor = new Editor(changed);
  const playIt = button("Play it", play, { className: "primary", "data-testid": "play-it" });
  const examine = button("Report", examineIt, { title: "Play thousands of games and see what it is like", "data-testid": "examine" });
  let timer = 0;
  let latest = 0;
  let isGone = false;

  const rules = () => ({ name: editor.name || "game.rbg", text: editor.text });

  function changed() {
    draft.name = editor.name;
    draft.text = editor.text;
    clearTimeout(timer);
    timer = setTimeout(check, pause);
  }

  async function check() {
    const number = ++latest;
    const checked = rules();
    let result;
    try {
      result = await ask("editor", "check", { rules: checked });
    } catch (error) {
      result = { problems: [], picture: null, failure: error.message };
    }
    if (number !== latest || isGone || checked.text !== editor.text) return;
    editor.mark(result.problems);
    list(result);
    if (result.picture) board.show(result.picture);
    board.element.classList.toggle("stale", !result.picture);
    playIt.disabled = examine.disabled = !result.picture;
  }

  function list({ problems: found, failure, players }) {
    if (failure) fill(problems, h("li", { className: "problem", textContent: failure }));
    else if (!found.length) fill(problems, h("li", { className: "well", textContent: `No problems. ${players.length === 1 ? "One player" : `${players.length} players`}: ${players.join(", ")}.` }));
    else fill(problems, found.map(one => h("li", { className: one.severity },
      button(`${one.line}:${one.column}`, () => editor.go(one.start, one.end), { className: "place", title: "Go there" }),
      h("span", {}, `${one.severity === "error" ? "" : "warning: "}${one.message}`,
        one.hint && !one.instead ? h("span", { className: "quiet", textContent: ` ${one.hint}` }) : null,
        ...one.calls.slice(0, 3).map(call => h("span", { className: "quiet", textContent: ` ${call}` }))),
      one.instead ? button(one.instead, () => editor.replace(one.start, one.end, one.instead), { className: "instead", title: `Write '${one.instead}' instead`, "data-testid": "instead" }) : null)));
  }

  async function play() {
    await trying(async () => {
      await open({ rules: rules() });
      location.hash = "#view=play";
    });
  }

  async function examineIt() {
    fill(report, h("p", { className: "quiet", textContent: "Playing thousands of games …" }));
    examine.disabled = true;
    const found = await trying(() => ask("report", "report", { rules: rules(), seconds }));
    examine.disabled = false;
    if (isGone) return;
    if (!found) {
      fill(report);
      return;
    }
    fill(report,
      h("section", { className: "card" }, h("h2", { textContent: `What ${found.title} is like` }),
        found.paragraphs.map(words => h("p", { textContent: words })),
        h("div", { className: "pictures" }, parts({ parts: found.parts.slice(1) })),
        button("Save as a page", () => keep(`${editor.name.replace(/\.\w+$/, "")}.html`, found.html, "text/html"))));
    report.scrollIntoView({ behavior: "smooth", block: "start" });
  }

  function edit(called, text) {
    name.value = called;
    editor.open(called, text);
    fill(report);
    changed();
  }

  async function start(wanted) {
    const opened = await trying(() => ask("editor", "open", { rules: wanted }));
    if (opened) edit(opened.name, opened.text);
  }

  name.onchange = () => {
    editor.name = name.value.trim();
    editor.paint();
    changed();
  };

  fill(place, h("div", { className: "design layout" },
    h("div", { className: "writing" },
      h("div", { className: "card toolbar" },
        h("label", {}, "Begin with ", chooser), name,
        h("div", { className: "buttons" },
          playIt, examine,
          button("Format", () => trying(async () => {
            const text = await ask("editor", "format", { rules: rules() });
            if (text !== editor.text) editor.replace(0, editor.text.length, text);
          }), { title: "Lay out evenly" }),
          button("Open file …", async () => {
            const file = await choose([...catalogue.suffixes, ".txt"].join(","));
            edit(file.name, file.text);
          }),
          button("Save file", () => keep(editor.name || "game.rbg", editor.text, "text/plain")))),
      editor.element,
      h("section", { className: "card" }, problems)),
    h("div", { className: "side" },
      h("section", { className: "card preview" }, h("h2", { textContent: "The board" }), board.element),
      report)));
  fill(chooser, gameChooser(catalogue, game.rules.name, called => start({ name: called })));
  if (draft.text) edit(draft.name, draft.text);
  else await start(game.rules);
  tell("");
  return () => {
    isGone = true;
    clearTimeout(timer);
    end("report").catch(() => {});
  };
}

