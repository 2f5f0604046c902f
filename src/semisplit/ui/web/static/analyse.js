// Analyse: an agent thinks live about any position, or two side by side.

import { thoughtView } from "./bars.js";
import { Board } from "./board.js";
import { agentField, gameChooser, usualAgent } from "./choosers.js";
import { ask } from "./connection.js";
import { curveView } from "./curve.js";
import { button, fill, h } from "./dom.js";
import { act, game, onChange, open, outcome, playerName, situation } from "./game.js";
import { left, right } from "./mind.js";
import { moveKeys, moveList } from "./moves.js";
import { tell, trying } from "./notice.js";
import { setUp } from "./setup.js";
import { treeView } from "./tree.js";

const longest = 120;
const perMove = 0.4;

/** What is remembered as long as the page is open. */
const kept = { agents: null, compares: false, scores: new Map(), of: "" };

/** Show the view; gives a function that leaves it. */
export function show(place, catalogue) {
  kept.agents ??= [usualAgent, "orthodox"];
  let isThinking = false;
  let isGone = false;
  const board = new Board({ onclick: square => act("click", { square }), onback: () => act("back") });
  const status = h("p", { className: "status", role: "status", "data-testid": "status" });
  const words = h("div", { className: "words" });
  const moves = moveList();
  const chooser = h("div", { className: "chooser" });
  const curve = curveView(at => act("go", { at }));
  const toggle = button("Start", () => (isThinking ? stop() : start()), { className: "primary", title: "Start or stop (Space)", "data-testid": "think" });
  const compare = button("Compare two agents", () => {
    kept.compares = !kept.compares;
    arrange();
    if (isThinking) start();
  }, { "data-testid": "compare" });
  const whole = button("Analyse the game", analyseGame, { title: "Look at each position for a moment" });
  const panels = [panel(left, 0), panel(right, 1)];
  const side = h("div", { className: "panels" });

  function panel(mind, index) {
    const thoughts = thoughtView({ preview, play: move => act("play", { move: move.wire }) });
    const tree = treeView(mind);
    const field = h("div");
    const element = h("section", { className: "card panel" }, field, thoughts.element, tree.element);
    const describe = () => fill(field, agentField(catalogue, game.about, kept.agents[index], name => {
      kept.agents[index] = name;
      kept.scores.clear();
      if (isThinking) start();
    }, { "data-testid": `agent-${index + 1}` }));
    return { mind, index, element, thoughts, tree, describe };
  }

  const active = () => (kept.compares ? panels : panels.slice(0, 1));

  let looking = 0;
  async function preview(line) {
    const number = ++looking;
    if (!line) {
      showBoard();
      return;
    }
    const { picture } = await ask("board", "line", { moves: line.map(move => move.wire) }).catch(() => ({}));
    if (picture && number === looking) board.show(picture);
  }

  function remember(thought) {
    if (thought?.score === null || thought?.score === undefined) return;
    const first = thought.player === 1 || game.about.players.length === 1;
    kept.scores.set(game.view.at, first ? thought.score : 1 - thought.score);
    showCurve();
  }

  async function run(one, seconds) {
    const here = game.view;
    const turn = (one.turn = {});
    await one.mind.stop();
    // Meanwhile somebody may have asked for something else.
    if (one.turn !== turn || game.view !== here || isGone) return null;
    if (here.over) {
      one.thoughts.update(null);
      return null;
    }
    const show = thought => {
      if (game.view.at !== here.at || isGone) return;
      one.thoughts.update(thought);
      if (one.index === 0) remember(thought);
    };
    one.thoughts.update(null, "Getting ready …");
    const running = one.mind.think(situation(), kept.agents[one.index], seconds, { onthought: show, player: here.player });
    one.tree.forget();
    one.tree.update();
    const thought = await running;
    if (thought) show(thought);
    one.tree.update();
    return thought;
  }

  async function start() {
    isThinking = true;
    toggle.textContent = "Stop";
    const here = game.view;
    panels.filter(one => !active().includes(one)).forEach(one => one.mind.stop());
    const ended = await trying(() => Promise.all(active().map(one => run(one, longest))));
    if (ended === undefined || (game.view === here && ended.some(Boolean))) stop();
  }

  function stop() {
    isThinking = false;
    toggle.textContent = "Start";
    panels.forEach(one => {
      one.turn = null;
      one.mind.stop();
    });
  }

  let isWalking = false;
  async function analyseGame() {
    if (isWalking) {
      isWalking = false;
      return;
    }
    stop();
    isWalking = true;
    whole.textContent = "Stop looking";
    for (let at = 0; at <= game.view.turns.length && isWalking && !isGone; at++) {
      await act("go", { at });
      if (game.view.over) remember({ player: 1, score: game.view.scores[0] / game.about.bounds[0] });
      else if (await trying(() => run(panels[0], perMove)) === undefined) break;
    }
    isWalking = false;
    whole.textContent = "Analyse the game";
  }

  async function begin(wanted) {
    stop();
    await trying(() => open(wanted));
    kept.agents = [usualAgent, "orthodox"];
    describe();
  }

  function describe() {
    fill(chooser, gameChooser(catalogue, game.rules.name, name => begin({ rules: { name } })));
    panels.forEach(one => one.describe());
  }

  function arrange() {
    fill(side, active().map(one => one.element));
    place.firstChild?.classList.toggle("compares", kept.compares);
    compare.textContent = kept.compares ? "One agent" : "Compare two agents";
  }

  function showBoard() {
    const { view } = game;
    board.show(view.picture, { clicked: view.clicked, can: view.squares });
  }

  function showCurve() {
    curve.update(kept.scores, Math.max(game.view.turns.length, 1), game.view.at, playerName(1));
  }

  let last = null;
  function update() {
    const { view } = game;
    const line = JSON.stringify([game.rules.name, game.position, ...view.turns.map(turn => turn.wire)]);
    if (line !== kept.of) {
      // What was thought of moves that are no longer there does not count.
      const before = kept.of ? JSON.parse(kept.of) : [];
      const after = JSON.parse(line);
      let same = 0;
      while (same < Math.min(before.length, after.length) && before[same] === after[same]) same++;
      for (const ply of [...kept.scores.keys()]) if (ply > same - 2) kept.scores.delete(ply);
      kept.of = line;
    }
    showBoard();
    fill(words, view.words.map(word => button(word, () => act("choose", { text: word }))));
    status.textContent = view.over ? `${outcome()}.` : `${playerName(view.player)} to move.`;
    moves.update();
    showCurve();
    const here = `${view.at} ${line}`;
    if (here !== last && isThinking) start();
    else if (here !== last && !isWalking) panels.forEach(one => one.thoughts.update(null));
    last = here;
  }

  const keys = event => {
    if (event.target.closest("input, textarea, select, dialog, summary, button") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (moveKeys(event)) return;
    if (event.key === " " && !event.target.closest(".board")) {
      event.preventDefault();
      toggle.click();
    }
    if (event.key === "t") act("turn");
  };

  fill(place, h("div", { className: "analyse layout" },
    h("div", { className: "stage" }, board.element, words),
    h("div", { className: "side" },
      h("section", { className: "card" }, chooser, status,
        h("div", { className: "buttons" }, toggle, compare,
          button("Turn board", () => act("turn"), { title: "Look from the other side (T)" }),
          button("Set up …", () => setUp(describe)))),
      side,
      h("section", { className: "card" }, curve.element, h("div", { className: "buttons" }, whole)),
      moves.element)));
  const stopListening = onChange(update);
  addEventListener("keydown", keys);
  arrange();
  describe();
  update();
  tell("");
  start();
  return () => {
    isGone = true;
    isWalking = false;
    stopListening();
    removeEventListener("keydown", keys);
    stop();
  };
}
