// A board that can be clicked, by mouse, finger and keyboard.

import { h, picture, s } from "./dom.js";

const many = 40;
const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The board: `onclick` is told the square, `onback` that Escape was pressed. */
export class Board {
  constructor({ onclick, onback }) {
    this.element = h("div", { className: "board", "data-testid": "board" });
    this.shown = "";
    this.focused = "";
    this.element.addEventListener("click", event => {
      const square = event.target.closest("[data-square]");
      if (!square || !onclick) return;
      this.focused = square.dataset.square;
      onclick(this.focused);
    });
    this.element.addEventListener("keydown", event => {
      const square = event.target.closest?.("[data-square]");
      if (event.key in arrows && square) {
        event.preventDefault();
        this.move(square, arrows[event.key]);
      } else if ((event.key === "Enter" || event.key === " ") && square) {
        event.preventDefault();
        onclick?.(square.dataset.square);
      } else if (event.key === "Escape") {
        onback?.();
      }
    });
  }

  /** Show a position, the squares that were clicked, and those that can be clicked. */
  show(text, { clicked = [], can = [] } = {}) {
    const hadFocus = this.element.contains(document.activeElement);
    if (text !== this.shown) {
      this.element.replaceChildren(picture(text));
      this.shown = text;
      this.squares = new Map([...this.element.querySelectorAll("[data-square]")].map(one => [one.dataset.square, one]));
    }
    const [possible, begun] = [new Set(can), new Set(clicked)];
    const isFree = [...possible].every(name => !this.squares.get(name)?.querySelector(".piece"));
    this.element.classList.toggle("many", isFree && can.length > many);
    this.element.classList.toggle("begins", !clicked.length);
    this.element.querySelectorAll(".mark").forEach(mark => mark.remove());
    for (const [name, square] of this.squares) {
      square.classList.toggle("can", possible.has(name));
      square.classList.toggle("clicked", begun.has(name));
      square.setAttribute("role", "button");
      square.setAttribute("aria-label", square.querySelector("title")?.textContent ?? name);
      square.setAttribute("tabindex", "-1");
      if (possible.has(name)) {
        const ring = square.querySelector(".piece") !== null;
        square.append(s("circle", { class: `mark ${ring ? "ring" : "dot"}`, r: ring ? 17.5 : 5.5 }));
      }
    }
    this.showArrow([]);
    const entry = this.squares.get(this.focused) ?? this.squares.get(can[0]) ?? this.squares.values().next().value;
    entry?.setAttribute("tabindex", "0");
    if (hadFocus) entry?.focus();
  }

  /** Draw an arrow along squares, or mark one. */
  showArrow(names) {
    this.element.querySelector(".arrow")?.remove();
    const centres = names.map(name => this.centre(this.squares.get(name))).filter(Boolean);
    if (!centres.length) return;
    const group = s("g", { class: "arrow" });
    if (centres.length > 1) {
      const [[x1, y1], [x2, y2]] = centres.slice(-2);
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - 13 * ux, y2 - 13 * uy];
      const points = [...centres.slice(0, -1), [bx, by]].map(point => point.join(",")).join(" ");
      const tip = [[x2, y2], [bx - 8 * uy, by + 8 * ux], [bx + 8 * uy, by - 8 * ux]].map(point => point.join(",")).join(" ");
      group.append(s("polyline", { points }), s("polygon", { points: tip }));
    } else {
      group.append(s("circle", { cx: centres[0][0], cy: centres[0][1], r: 18 }));
    }
    this.element.querySelector("svg").append(group);
  }

  centre(square) {
    const found = /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(square?.getAttribute("transform") ?? "");
    return found && [Number(found[1]), Number(found[2])];
  }

  /** Move the focus to the nearest square in a direction. */
  move(square, [dx, dy]) {
    const [x, y] = this.centre(square);
    let best = null;
    let least = Infinity;
    for (const other of this.squares.values()) {
      const [ox, oy] = this.centre(other);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along > 1 && along + 3 * aside < least) [best, least] = [other, along + 3 * aside];
    }
    if (!best) return;
    square.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
    this.focused = best.dataset.square;
  }
}
