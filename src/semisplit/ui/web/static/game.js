// The game of this tab, which Play and Analyse share: its rules, where it is, and how it goes on.

import { ask } from "./connection.js";
import { tell, trying } from "./notice.js";

const patience = 300;
const listeners = new Set();

/** The game: `rules` name it, `about` tells what it is, `view` shows where it is. */
export const game = { rules: null, position: "", about: null, view: null };

/** Call somebody after each change; gives a function that ends it. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What it takes to open the game again, or to think about where it is. */
export function situation() {
  const moves = game.view.turns.slice(0, game.view.at).map(turn => turn.wire);
  return { rules: game.rules, position: game.position, moves };
}

/** Open a game; nothing changes if that is not possible. */
export async function open({ rules, position = "", moves = [] }) {
  const timer = setTimeout(() => tell(`Opening ${rules.name} …`, { stays: true }), patience);
  let view;
  try {
    view = await ask("board", "open", { rules, position, moves, turned: false });
    tell("");
  } finally {
    clearTimeout(timer);
  }
  game.rules = rules;
  game.position = position;
  game.about = view.about;
  changed(view);
}

/** Do something on the board: click, choose, back, play, go, cut, turn. */
export function act(what, details = {}) {
  return trying(async () => changed(await ask("board", what, details)));
}

function changed(view) {
  // A picture that has not changed is not sent again.
  view.picture ??= game.view.picture;
  game.view = view;
  for (const listener of listeners) listener();
}

/** The name of a player, with a capital letter. */
export function playerName(number) {
  const name = game.about.players[number - 1] ?? "nobody";
  return name[0].toUpperCase() + name.slice(1);
}

/** How the game has ended, in words. */
export function outcome() {
  const { scores } = game.view;
  const { players, bounds } = game.about;
  if (players.length === 1) return `Score: ${scores[0]} of ${bounds[0]}`;
  const best = Math.max(...scores);
  const winners = scores.flatMap((score, index) => (score === best ? [index + 1] : []));
  if (winners.length === players.length) return "A draw";
  return `${winners.map(playerName).join(" and ")} won`;
}
