// Setting up a position: pieces are put on squares, or the text of the position is changed.

import { ask } from "./connection.js";
import { button, fill, h } from "./dom.js";
import { game, open } from "./game.js";
import { trying } from "./notice.js";

/** A dialogue to change the position; `ondone` is called when a new one is there. */
export async function setUp(ondone) {
  const text = h("textarea", { rows: 14, spellcheck: false, "aria-label": "Position" });
  text.value = await ask("board", "position");
  const problem = h("p", { className: "problem", role: "alert" });
  const dialogue = h("dialog", { className: "setup" });
  const apply = async () => {
    try {
      await open({ rules: game.rules, position: text.value });
      dialogue.close();
      ondone();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const initial = async () => {
    await trying(() => open({ rules: game.rules }));
    dialogue.close();
    ondone();
  };
  fill(dialogue,
    h("h2", { textContent: "Set up a position" }),
    h("p", { className: "quiet", textContent: "Change the diagram, who is to move and the values; it has to be a position of the game." }),
    text, problem,
    h("div", { className: "buttons" },
      button("Set up", apply, { className: "primary" }), button("Initial position", initial), button("Cancel", () => dialogue.close())));
  dialogue.onclose = () => dialogue.remove();
  document.body.append(dialogue);
  dialogue.showModal();
}
