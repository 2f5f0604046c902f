// Reports and tables as the server makes them.

import { h, picture } from "./dom.js";

/** A table. */
export function table({ title, header, rows, note }) {
  const hasHeader = header.some(Boolean);
  return h("section", { className: "part" },
    h("h2", { textContent: title }),
    h("div", { className: "scroll" }, h("table", {},
      hasHeader ? h("thead", {}, h("tr", {}, header.map(cell => h("th", { textContent: cell, scope: "col" })))) : null,
      h("tbody", {}, rows.map(row => h("tr", {}, row.map((cell, index) => (index ? h("td", { textContent: cell, className: verdict(cell) }) : h("th", { textContent: cell, scope: "row" })))))))),
    note ? h("p", { className: "quiet", textContent: note }) : null);
}

const verdict = cell => (["better", "worse"].includes(cell) ? cell : "");

/** All parts of a document. */
export function parts(document) {
  return document.parts.map(part => (part.picture
    ? h("section", { className: "part" }, h("h2", { textContent: part.title }), h("div", { className: "picture" }, picture(part.picture)))
    : table(part)));
}
