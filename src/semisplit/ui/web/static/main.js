// The page: which view is shown.

import { ask, listen, whenLost } from "./connection.js";
import * as address from "./address.js";
import { game, onChange, open } from "./game.js";
import { tell, trying } from "./notice.js";
import { offerThemes } from "./theme.js";

const views = { play: "./play.js", analyse: "./analyse.js", design: "./design.js", watch: "./watch.js" };
const place = document.getElementById("view");
let current = "";
let leave = () => {};

/** What there is to choose from: games, agents, stores. */
const catalogue = ask("server", "list");

async function show(view) {
  leave();
  leave = () => {};
  current = view;
  for (const link of document.querySelectorAll("nav a")) {
    link.toggleAttribute("aria-current", link.dataset.view === view);
    link.setAttribute("aria-current", link.dataset.view === view ? "page" : "false");
  }
  const module = await import(views[view]);
  if (current === view) leave = (await module.show(place, await catalogue)) ?? (() => {});
}

async function follow() {
  const wanted = address.read();
  const view = wanted.view in views ? wanted.view : "play";
  if (!game.view) {
    await trying(() => open(wanted));
    if (!game.view) await trying(() => open({ rules: { name: "breakthrough" } }));
  }
  if (view !== current) await show(view);
  address.write(view);
}

offerThemes(document.getElementById("theme"));
whenLost(reason => tell(reason, { stays: true }));
for (const name of ["board", "left", "right", "editor", "report", "watch"]) {
  listen(name, "progress", words => tell(words, { stays: true }));
  listen(name, "note", words => tell(words));
}
onChange(() => current && address.write(current));
addEventListener("hashchange", follow);
follow();
