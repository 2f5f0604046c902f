// The score over the game, as far as it has been looked at.

import { fill, h, s } from "./dom.js";

const [width, height] = [400, 90];

/** A curve; `scores` has that of the first player after each number of moves, `go` is told where to go. */
export function curveView(go) {
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "curve", role: "img", "aria-label": "Score over the game", "data-testid": "curve" });
  const caption = h("p", { className: "quiet" });
  const x = (ply, last) => (last ? (ply / last) * (width - 8) + 4 : width / 2);
  const y = score => height - 4 - score * (height - 8);
  let length = 0;

  svg.addEventListener("click", event => {
    const box = svg.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * length));
  });

  function update(scores, last, at, name) {
    length = last;
    const known = [...scores.entries()].filter(([ply]) => ply <= last).sort(([a], [b]) => a - b);
    const points = known.map(([ply, score]) => `${x(ply, last)},${y(score)}`);
    const area = known.length > 1 ? [`${x(known[0][0], last)},${height}`, ...points, `${x(known.at(-1)[0], last)},${height}`] : [];
    fill(svg,
      s("polygon", { points: area.join(" "), class: "area" }),
      s("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "middle" }),
      s("polyline", { points: points.join(" "), class: "values" }),
      ...known.map(([ply, score]) => s("circle", { cx: x(ply, last), cy: y(score), r: 2.5, class: "value" })),
      s("line", { x1: x(at, last), x2: x(at, last), y1: 0, y2: height, class: "here" }));
    const here = scores.get(at);
    caption.textContent = `Score of ${name}${here === undefined ? "" : `: ${(100 * here).toFixed(1)} %`}`;
  }

  return { element: h("div", {}, caption, svg), update };
}
