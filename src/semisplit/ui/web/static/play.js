// Play: a person by clicks, agents by themselves.

import { Board } from "./board.js";
import { agentOptions, gameChooser, usualAgent } from "./choosers.js";
import { button, fill, h, select } from "./dom.js";
import { choose, keep } from "./files.js";
import { act, game, onChange, open, outcome, playerName, situation } from "./game.js";
import { left, right } from "./mind.js";
import { moveKeys, moveList } from "./moves.js";
import { tell, trying } from "./notice.js";
import { setUp } from "./setup.js";

const times = [["0.1", "0.1 s"], ["0.5", "0.5 s"], ["1", "1 s"], ["3", "3 s"], ["10", "10 s"], ["60", "1 min"]];

/** Who sits where is remembered as long as the page is open. */
const table = { game: "", seats: [], seconds: "1", isPaused: false };

/** Every side has a mind of its own, as far as there are two, so that it keeps what it knows. */
const mindOf = player => (player % 2 ? left : right);
const stopMinds = () => Promise.all([left.stop(), right.stop()]);

function seatEverybody() {
  const { name, players } = game.about;
  if (table.game === name && table.seats.length === players.length) return;
  table.game = name;
  table.seats = players.map((_, index) => (index ? usualAgent : "person"));
  table.isPaused = false;
}

/** Show the view; gives a function that leaves it. */
export function show(place, catalogue) {
  seatEverybody();
  const board = new Board({
    onclick: square => isPersonsTurn() && act("click", { square }),
    onback: () => act("back"),
  });
  const status = h("p", { className: "status", role: "status", "data-testid": "status" });
  const thinking = h("p", { className: "quiet thinking" });
  const words = h("div", { className: "words", "data-testid": "words" });
  const seats = h("div", { className: "seats" });
  const about = h("details", { className: "card about" });
  const moves = moveList();
  const chooser = h("div", { className: "chooser" });
  const pause = button("Pause", () => {
    table.isPaused = !table.isPaused;
    if (table.isPaused) stopMinds();
    update();
  }, { title: "Let agents wait (P)" });

  const current = () => game.view.at === game.view.turns.length;
  const isPersonsTurn = () => !game.view.over && (table.seats[game.view.player - 1] === "person" || !current());

  async function begin(wanted) {
    await stopMinds();
    await trying(() => open(wanted));
    seatEverybody();
    describe();
    update();
  }

  const undo = async () => {
    await stopMinds();
    const before = game.view.turns.slice(0, game.view.at);
    const own = before.findLastIndex(turn => table.seats[turn.player - 1] === "person");
    if (own < 0) table.isPaused = table.seats.every(seat => seat !== "person");
    await act("cut", { at: own < 0 ? Math.max(0, before.length - 1) : own });
  };
  const hint = async () => {
    if (game.view.over) return;
    thinking.textContent = "Looking for a good move …";
    const agent = usualAgent;
    const thought = await trying(() => mindOf(game.view.player).think(situation(), agent, Number(table.seconds), { player: game.view.player }));
    if (!thought) return;
    thinking.textContent = `Hint: ${thought.text}`;
    board.showArrow(thought.squares);
  };
  const swap = async () => {
    await stopMinds();
    table.seats.unshift(table.seats.pop());
    await act("turn");
    describe();
  };
  const turn = () => act("turn");
  const save = () => {
    const side = table.seats.indexOf("person");
    const agent = table.seats.find(seat => seat !== "person") ?? usualAgent;
    keep(`${game.about.name.replace(/\W+/g, "-")}.json`, JSON.stringify({
      format: 1,
      game: game.about.name,
      rules: game.about.text,
      agent,
      side: game.about.players[Math.max(0, side)],
      budget: `${table.seconds}s`,
      moves: game.view.turns.map(one => one.wire),
    }, null, 1));
  };
  const load = async () => {
    const file = await choose(".json");
    await trying(async () => {
      const saved = JSON.parse(file.text);
      if (saved.format !== 1 || !Array.isArray(saved.moves)) throw new Error(`${file.name} is not a saved game`);
      const known = catalogue.games.some(one => one.name === saved.game) && !saved.game.includes(".");
      await begin({ rules: known ? { name: saved.game } : { name: saved.game, text: saved.rules }, moves: saved.moves });
      table.seats = game.about.players.map(player => (player === saved.side ? "person" : saved.agent));
      describe();
      update();
    });
  };
  const share = async () => {
    await navigator.clipboard?.writeText(location.href);
    tell("The address of this page, with the game and its moves, is in the clipboard.");
  };

  function describe() {
    const { title, text, players, colours } = game.about;
    fill(chooser, gameChooser(catalogue, game.rules.name, name => begin({ rules: { name } })));
    fill(seats, players.map((player, index) => h("label", { className: "seat" },
      h("span", { className: "dot", style: { "--side": colours[index] } }),
      h("span", { className: "name", textContent: player }),
      select([["person", "You"], ...agentOptions(catalogue, game.about)], table.seats[index], async seat => {
        await stopMinds();
        table.seats[index] = seat;
        update();
      }, { "aria-label": `Who plays ${player}`, "data-testid": `seat-${index + 1}` }))),
    h("label", { className: "seat" }, h("span", { className: "name", textContent: "Agents think for" }),
      select(times, table.seconds, seconds => { table.seconds = seconds; }, { "aria-label": "Time for each move" })));
    fill(about, h("summary", { textContent: `How ${title} is played` }), ...rulesInWords(text));
  }

  function update() {
    const { view } = game;
    board.show(view.picture, { clicked: view.clicked, can: isPersonsTurn() ? view.squares : [] });
    fill(words, isPersonsTurn() ? view.words.map(word => button(nice(word), () => act("choose", { text: word }))) : []);
    status.textContent = describeTurn();
    pause.hidden = table.seats.every(seat => seat === "person");
    pause.textContent = table.isPaused ? "Go on" : "Pause";
    moves.update();
    agentsMove();
  }

  function describeTurn() {
    const { view } = game;
    if (view.over) return `${outcome()}.`;
    const name = playerName(view.player);
    if (!current()) return `Move ${view.at} of ${view.turns.length}: ${name} to move.`;
    if (table.seats[view.player - 1] !== "person") return table.isPaused ? `${name} waits.` : `${name} thinks …`;
    if (view.clicked.length) return `${name}: ${view.clicked.join(" – ")} …`;
    return `${name} to move.`;
  }

  async function agentsMove() {
    const { view } = game;
    const agent = table.seats[view.player - 1];
    thinking.textContent = "";
    if (view.over || table.isPaused || !current() || agent === "person" || mindOf(view.player).isBusy) return;
    const here = view;
    const thought = await trying(() => mindOf(view.player).think(situation(), agent, Number(table.seconds), {
      player: view.player,
      onthought: told => { thinking.textContent = describeThought(told); },
    }));
    if (thought === undefined) table.isPaused = true;
    if (game.view !== here || gone) return;
    // Meanwhile somebody else may have taken the seat.
    if (thought && table.seats[view.player - 1] === agent) await act("play", { move: thought.parts[view.player] ?? thought.wire });
    else update();
  }

  const keys = event => {
    if (event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (moveKeys(event)) return;
    const actions = { u: undo, h: hint, t: turn, p: () => pause.click(), Escape: () => act("back") };
    if (event.key in actions && !(event.key === "Escape" && event.target.closest(".board"))) actions[event.key]();
  };

  fill(place, h("div", { className: "play layout" },
    h("div", { className: "stage" }, board.element, words),
    h("div", { className: "side" },
      h("section", { className: "card" }, chooser, status, thinking,
        h("div", { className: "buttons" },
          button("Undo", undo, { title: "Take back (U)" }),
          button("Hint", hint, { title: "What would an agent play? (H)" }),
          button("Change sides", swap),
          button("Turn board", turn, { title: "Look from the other side (T)" }),
          pause,
          button("New game", () => begin({ rules: game.rules }), { className: "primary" }))),
      h("section", { className: "card" }, seats),
      moves.element,
      about,
      h("section", { className: "buttons more" },
        button("Set up …", () => setUp(() => { describe(); update(); })),
        button("Save", save), button("Load …", load), button("Copy address", share)))));

  let gone = false;
  const stopListening = onChange(update);
  addEventListener("keydown", keys);
  describe();
  update();
  return () => {
    gone = true;
    stopListening();
    removeEventListener("keydown", keys);
    stopMinds();
  };
}

function describeThought({ score, simulations, abandoned, text }) {
  const expects = score === null ? "" : `, expects ${Math.round(100 * score)} %`;
  const givenUp = abandoned ? `, ${abandoned.toLocaleString("en")} given up` : "";
  return `considers ${text}${expects} after ${simulations.toLocaleString("en")} simulations${givenUp}`;
}

/** Words of moves as people say them. */
function nice(word) {
  if (/pass/i.test(word)) return "Pass";
  return word;
}

/** The comment at the top of a description, as paragraphs. */
export function rulesInWords(text) {
  const paragraphs = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const found = /^(?:\/\/|;+)\s?(.*)$/.exec(line);
    if (!found) break;
    const words = found[1].trim();
    if (!words) isOpen = false;
    else if (isOpen && !words.startsWith("- ")) paragraphs.push(`${paragraphs.pop()} ${words}`);
    else paragraphs.push(words);
    if (words) isOpen = true;
  }
  return paragraphs.length ? paragraphs.map(words => h("p", { textContent: words })) : [h("p", { textContent: "The description says nothing in words." })];
}
