// What an agent thinks: bars for moves, and the line it expects.

import { button, fill, h, short } from "./dom.js";

const percent = score => `${(100 * score).toFixed(1)}`;

/** Bars and a line; `preview` is given moves to show on the board, null for none; `play` one to make. */
export function thoughtView({ preview, play }) {
  const numbers = h("p", { className: "quiet numbers" });
  const bars = h("div", { className: "bars", "data-testid": "bars" });
  const line = h("div", { className: "line", "aria-label": "Expected line" });
  const element = h("div", {}, numbers, bars, line);
  let rows = [];

  const over = (target, moves) => {
    target.onpointerenter = target.onfocus = () => preview(moves);
    target.onpointerleave = target.onblur = () => preview(null);
    return target;
  };

  function row() {
    const name = h("span", { className: "name" });
    const visits = h("span", { className: "visits" });
    const score = h("span", { className: "score" });
    const made = button("", () => play(made.move), { className: "bar" });
    made.append(h("span", { className: "fill" }), name, visits, score);
    over(made, null).onpointerenter = made.onfocus = () => preview([made.move]);
    return made;
  }

  /** Show what an agent thinks, or why there is nothing to show. */
  function update(thought, reason = "Not thinking.") {
    if (!thought) {
      fill(numbers, reason);
      rows = [];
      fill(bars);
      fill(line);
      return;
    }
    const { simulations, seconds, nodes, depth, note, moves } = thought;
    const speed = seconds > 0 ? `, ${short(Math.round(simulations / seconds))}/s` : "";
    const tree = nodes === undefined ? "" : `; ${short(nodes)} nodes, depth ${depth}`;
    numbers.textContent = `${short(simulations)} simulations${speed}${tree}${note ? `; ${note}` : ""}`;
    const shown = moves.length ? moves : [{ ...thought, visits: simulations }];
    const total = shown.reduce((sum, move) => sum + move.visits, 0) || 1;
    const most = Math.max(...shown.map(move => move.visits), 1);
    while (rows.length < shown.length) rows.push(row());
    rows.length = shown.length;
    shown.forEach((move, index) => {
      const made = rows[index];
      made.move = move;
      const [bar, name, visits, score] = made.children;
      bar.style.width = `${(100 * move.visits) / most}%`;
      name.textContent = move.text;
      visits.textContent = move.visits ? `${short(move.visits)} (${Math.round((100 * move.visits) / total)} %)` : "";
      score.textContent = move.score === null || move.score === undefined ? "" : percent(move.score);
      made.title = `${move.text}: ${move.visits} visits`;
    });
    if (bars.children.length !== rows.length) fill(bars, rows);
    showLine(thought.line);
  }

  function showLine(moves) {
    const text = moves.map(move => move.text).join(" ");
    if (line.dataset.text === text || line.matches(":hover")) return;
    line.dataset.text = text;
    fill(line, moves.map((move, index) => over(button(move.text, () => play(moves[0]), { className: "move" }), moves.slice(0, index + 1))));
  }

  return { element, update };
}
