// The tree of a search, opened node by node; what is open is looked at again while the search goes on.

import { button, fill, h, short } from "./dom.js";

const most = 24;
const pause = 1000;

/** The tree of a mind. */
export function treeView(mind) {
  const root = h("ul", { className: "tree", role: "tree", "data-testid": "tree" });
  const element = h("details", {}, h("summary", { textContent: "Tree" }), root);
  const open = new Set();
  let timer = 0;
  const key = path => JSON.stringify(path);

  function item(branch, path) {
    const inner = h("ul", { role: "group" });
    const toggle = button("▸", () => change(path, inner, toggle), { className: "toggle", disabled: !branch.is_open, "aria-label": `Open ${branch.name}` });
    const element = h("li", { role: "treeitem" },
      h("div", { className: "node" }, toggle,
        h("span", { className: branch.name.startsWith("[") ? "name group" : "name", textContent: branch.name }),
        h("span", { className: "visits", textContent: short(branch.visits) }),
        h("span", { className: "score", textContent: (100 * branch.score).toFixed(1) })),
      inner);
    if (open.has(key(path))) expand(path, inner, toggle);
    return element;
  }

  function change(path, inner, toggle) {
    if (open.delete(key(path))) {
      fill(inner);
      toggle.textContent = "▸";
      return;
    }
    open.add(key(path));
    expand(path, inner, toggle);
  }

  async function expand(path, inner, toggle) {
    toggle.textContent = "▾";
    await list(path, inner);
  }

  async function list(path, place) {
    let branches;
    try {
      branches = await mind.branches(path);
    } catch (error) {
      fill(place, h("li", { className: "quiet", textContent: error.message }));
      return;
    }
    const items = branches.slice(0, most).map(branch => item(branch, [...path, branch.name]));
    const rest = branches.length - items.length;
    fill(place, items, rest > 0 ? h("li", { className: "quiet", textContent: `and ${rest} more` }) : null);
  }

  /** Look at the tree again. */
  async function update() {
    clearTimeout(timer);
    if (!element.open || !element.isConnected) return;
    const focused = document.activeElement?.getAttribute("aria-label");
    await list([], root);
    if (focused && root.contains(document.activeElement) === false) root.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    if (mind.isBusy) timer = setTimeout(update, pause);
  }

  element.addEventListener("toggle", update);
  return { element, update, forget: () => open.clear() };
}
