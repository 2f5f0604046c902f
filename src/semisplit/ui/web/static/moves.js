// The moves of a game as a list, in which one can go back and forth.

import { button, fill, h } from "./dom.js";
import { act, game } from "./game.js";

/** A list of moves with buttons to go through it; `update` shows what there is now. */
export function moveList() {
  const list = h("ol", { className: "moves", "aria-label": "Moves", "data-testid": "moves" });
  const go = at => act("go", { at });
  const steps = h("div", { className: "steps" },
    button("«", () => go(0), { title: "To the start (Home)", "aria-label": "To the start" }),
    button("‹", () => go(game.view.at - 1), { title: "Back (←)", "aria-label": "Back" }),
    button("›", () => go(game.view.at + 1), { title: "Forward (→)", "aria-label": "Forward" }),
    button("»", () => go(game.view.turns.length), { title: "To the end (End)", "aria-label": "To the end" }));
  const update = () => {
    const { turns, at } = game.view;
    fill(list, turns.map((turn, index) => h("li", {},
      button(turn.text, () => go(index + 1), {
        className: "move",
        "aria-current": index + 1 === at ? "step" : "false",
        style: { "--side": game.about.colours[turn.player - 1] ?? "gray" },
      }))));
    if (!turns.length) fill(list, h("li", { className: "quiet", textContent: "No moves yet." }));
    const current = list.querySelector('[aria-current="step"]');
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    const [first, back, forward, last] = steps.children;
    first.disabled = back.disabled = at === 0;
    last.disabled = forward.disabled = at === turns.length;
  };
  return { element: h("section", { className: "card record" }, steps, list), update };
}

/** Keys that go through the moves, unless somebody is writing or on the board. */
export function moveKeys(event) {
  if (event.target.closest("input, textarea, select, .board") || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { at, turns } = game.view;
  const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: turns.length };
  if (!(event.key in targets)) return false;
  event.preventDefault();
  act("go", { at: targets[event.key] });
  return true;
}
