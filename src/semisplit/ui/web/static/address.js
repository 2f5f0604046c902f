// The address of the page says what it shows, so that it can be opened again and passed on.

import { game } from "./game.js";

const longest = 6000;
const key = "semisplit text of ";

/** What the address says. */
export function read() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const name = parameters.get("game") ?? "breakthrough";
  const text = sessionStorage.getItem(key + name) ?? undefined;
  return {
    view: parameters.get("view") ?? "play",
    store: parameters.get("store") ?? "",
    rules: text === undefined ? { name } : { name, text },
    position: parameters.get("position") ?? "",
    moves: (parameters.get("moves") ?? "").split(";").filter(Boolean),
  };
}

/** Let the address say where the game is. */
export function write(view) {
  const parameters = new URLSearchParams({ view });
  if (game.rules) {
    const { name, text } = game.rules;
    parameters.set("game", name);
    if (text !== undefined) sessionStorage.setItem(key + name, text);
    else sessionStorage.removeItem(key + name);
    if (game.position) parameters.set("position", game.position);
    const moves = game.view.turns.map(turn => turn.wire).join(";");
    if (moves) parameters.set("moves", moves);
  }
  const hash = `#${parameters}`;
  if (hash.length < longest) history.replaceState(null, "", hash);
}
