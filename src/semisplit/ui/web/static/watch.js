// Watch: how matches stand, live, and their games move by move.

import { Board } from "./board.js";
import { ask } from "./connection.js";
import { table } from "./document.js";
import { button, fill, h, select } from "./dom.js";
import { trying } from "./notice.js";

const pause = 1500;
const step = 700;

/** What is remembered as long as the page is open. */
const kept = { store: "", match: 0 };

/** Show the view; gives a function that leaves it. */
export async function show(place) {
  const board = new Board({});
  const tables = h("div", { className: "tables", "data-testid": "tables" });
  const stores = h("span");
  const matches = h("span");
  const games = h("ol", { className: "games", "data-testid": "games" });
  const status = h("p", { className: "quiet", role: "status" });
  const who = h("div", { className: "seats" });
  const turnText = h("p", { className: "status", "data-testid": "turn" });
  const thought = h("p", { className: "quiet thinking" });
  const follow = h("input", { type: "checkbox", id: "follow" });
  const slider = h("input", { type: "range", min: 0, value: 0, "aria-label": "Move" });
  const playing = button("▶", () => run(!timer), { "aria-label": "Play", title: "Play or stop (Space)" });
  const stage = h("section", { className: "card replay", hidden: true });
  let known = -1;
  let poll = 0;
  let timer = 0;
  let isGone = false;
  let standing = null;
  let replay = null;
  let at = 0;

  async function look() {
    clearTimeout(poll);
    if (isGone || !kept.store) return;
    const found = await ask("watch", "standing", { store: kept.store, known }).catch(error => {
      status.textContent = error.message;
      return null;
    });
    if (isGone) return;
    if (found) {
      known = found.played;
      standing = found;
      showStanding();
    }
    poll = setTimeout(look, pause);
  }

  function showStanding() {
    status.textContent = `${standing.played.toLocaleString("en")} games so far${standing.unreadable ? `; ${standing.unreadable} matches cannot be read` : ""}.`;
    fill(tables, standing.parts.map(table));
    if (!standing.matches.some(match => match.id === kept.match)) kept.match = standing.matches.at(-1)?.id ?? 0;
    fill(matches, select(standing.matches.map(match => [String(match.id), `${match.game}: ${match.agents.join(" – ")}, ${match.budget} (${match.played})`]),
      String(kept.match), chosen => {
        kept.match = Number(chosen);
        showGames();
      }, { "aria-label": "Match" }));
    showGames();
  }

  async function showGames() {
    const match = standing.matches.find(one => one.id === kept.match);
    if (!match) return;
    const found = await trying(() => ask("watch", "games", { store: kept.store, match: match.id }));
    if (!found || isGone) return;
    fill(games, found.slice(0, 200).map(one => h("li", {}, button(
      `${one.number}. ${one.agents.map((agent, seat) => `${match.agents[agent]} ${Math.round(100 * one.scores[seat])}`).join(" – ")}${one.failure ? " ⚠" : ""}`,
      () => openGame(one.id), { className: "game", "data-id": one.id, "aria-current": replay?.id === one.id ? "true" : "false" }))));
    if (follow.checked && found.length && replay?.id !== found[0].id && !timer) {
      await openGame(found[0].id);
      run(true);
    }
  }

  async function openGame(id) {
    run(false);
    const found = await trying(() => ask("watch", "replay", { store: kept.store, game: id }));
    if (!found || isGone) return;
    replay = { ...found, id, turned: false };
    stage.hidden = false;
    slider.max = found.turns.length;
    fill(who, found.about.players.map((player, index) => h("div", { className: "seat" },
      h("span", { className: "dot", style: { "--side": found.about.colours[index] } }),
      h("span", { className: "name", textContent: player }), h("span", { className: "agent", textContent: found.agents[index] }))));
    for (const one of games.querySelectorAll(".game")) {
      one.setAttribute("aria-current", one.dataset.id === String(id) ? "true" : "false");
    }
    await go(0);
  }

  async function go(wanted) {
    at = Math.max(0, Math.min(wanted, replay.turns.length));
    const picture = await ask("watch", "show", { at, turned: replay.turned }).catch(() => null);
    if (!picture || isGone) return;
    slider.value = at;
    board.show(picture);
    const turn = replay.turns[at - 1];
    const isLast = at === replay.turns.length;
    turnText.textContent = turn ? `${at}. ${turn.text}` : "The beginning";
    if (isLast && replay.scores) turnText.textContent += ` – ${replay.about.players.map((player, index) => `${player} ${replay.scores[index]}`).join(", ")}`;
    if (isLast && replay.failure) turnText.textContent += ` – ${replay.failure}`;
    const expects = turn && turn.score !== null ? `, expects ${Math.round(100 * turn.score)} %` : "";
    const givenUp = turn && turn.abandoned ? ` (${turn.abandoned.toLocaleString("en")} given up)` : "";
    thought.textContent = turn ? `${replay.about.players[turn.player - 1]}: ${turn.simulations.toLocaleString("en")} simulations${givenUp} in ${turn.seconds.toFixed(2)} s${expects}` : "";
  }

  function run(isOn) {
    clearInterval(timer);
    timer = 0;
    playing.textContent = isOn ? "❚❚" : "▶";
    if (!isOn || !replay) return;
    timer = setInterval(() => (at < replay.turns.length ? go(at + 1) : run(false)), step);
  }

  async function chooseStore(name) {
    kept.store = name;
    kept.match = 0;
    known = -1;
    replay = null;
    stage.hidden = true;
    run(false);
    fill(tables);
    fill(games);
    await look();
  }

  const keys = event => {
    if (!replay || event.target.closest("input, select, button") || event.ctrlKey || event.metaKey || event.altKey) return;
    const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: replay.turns.length };
    if (event.key in targets) go(targets[event.key]);
    else if (event.key === " ") run(!timer);
    else return;
    event.preventDefault();
  };

  slider.oninput = () => {
    run(false);
    go(Number(slider.value));
  };
  fill(stage, who, h("div", { className: "replay-board" }, board.element),
    turnText, thought,
    h("div", { className: "buttons" },
      button("«", () => go(0), { "aria-label": "To the start" }), button("‹", () => go(at - 1), { "aria-label": "Back" }),
      playing, button("›", () => go(at + 1), { "aria-label": "Forward" }), button("»", () => go(replay.turns.length), { "aria-label": "To the end" }),
      button("Turn board", () => { replay.turned = !replay.turned; go(at); })),
    slider);

  const found = (await trying(() => ask("watch", "stores"))) ?? [];
  if (!found.includes(kept.store)) kept.store = found[0] ?? "";
  if (found.length) {
    fill(stores, select(found.map(name => [name, name]), kept.store, chooseStore, { "aria-label": "Store", "data-testid": "store" }));
    fill(place, h("div", { className: "watch layout" },
      h("div", { className: "side" }, h("section", { className: "card" }, h("label", { className: "row" }, "Results ", stores), status), h("section", { className: "card" }, tables)),
      h("div", { className: "side" }, stage,
        h("section", { className: "card" }, h("h2", { textContent: "Games" }), matches,
          h("label", { className: "row", for: "follow" }, follow, " Show each new game"), games))));
    look();
  } else {
    fill(place, h("section", { className: "card empty" },
      h("h2", { textContent: "No results yet" }),
      h("p", { textContent: "Matches and tournaments keep their games in stores. Play some in a terminal, in the folder of the server:" }),
      h("pre", { textContent: "semisplit match breakthrough orthodox semisplit-nodal@Mod --games 20" }),
      h("p", { className: "quiet", textContent: "They are shown here while they are being played." }),
      button("Look again", () => show(place))));
  }
  addEventListener("keydown", keys);
  return () => {
    isGone = true;
    clearTimeout(poll);
    run(false);
    removeEventListener("keydown", keys);
  };
}
