// Setting up a position: pieces are put on squares, or the text of the position is changed.

import { Board } from "./board.js";
import { ask } from "./connection.js";
import { button, fill, h } from "./dom.js";
import { game, open } from "./game.js";
import { trying } from "./notice.js";

/** A dialogue to change the position; `ondone` is called when a new one is there. */
export async function setUp(ondone) {
  const { pieces } = game.about;
  let piece = pieces.at(-1);
  const text = h("textarea", { rows: 12, spellcheck: false, "aria-label": "Position" });
  const problem = h("p", { className: "problem", role: "alert" });
  const dialogue = h("dialog", { className: "setup" });
  const board = new Board({ onclick: square => change("put", { position: text.value, square, piece }) });
  const palette = h("div", { className: "buttons palette", role: "radiogroup", "aria-label": "Piece to put" });

  async function change(what, details = {}) {
    try {
      const found = await ask("board", what, details);
      text.value = found.text;
      board.show(found.picture);
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function offer() {
    fill(palette, pieces.map(one => button(one, () => {
      piece = one;
      offer();
    }, { role: "radio", "aria-checked": String(one === piece) })));
  }

  async function apply(position) {
    try {
      await open({ rules: game.rules, position });
      dialogue.close();
      ondone();
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  fill(dialogue,
    h("h2", { textContent: "Set up a position" }),
    pieces.length ? h("p", { className: "quiet", textContent: "Choose a piece and click squares." }) : null,
    palette, board.element,
    h("details", { open: !pieces.length }, h("summary", { textContent: "As text, with who is to move and all values" }), text),
    problem,
    h("div", { className: "buttons" },
      button("Set up", () => apply(text.value), { className: "primary" }),
      button("Initial position", () => apply("")),
      button("Cancel", () => dialogue.close())));
  dialogue.onclose = () => dialogue.remove();
  document.body.append(dialogue);
  dialogue.showModal();
  offer();
  await trying(() => change("position"));
}
