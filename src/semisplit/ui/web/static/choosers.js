// Choosing games and agents.

import { h, select } from "./dom.js";

/** The agent that somebody gets who does not choose. */
export const usualAgent = "auto";

/** A list of all games. */
export function gameChooser(catalogue, name, onchange) {
  const groups = [
    ["Your folder", game => game.title === game.name && game.name.includes(".")],
    ...catalogue.languages.map(({ name, group }) => [group, game => game.language === name]),
  ];
  const left = new Set(catalogue.games);
  const options = groups.map(([group, belongs]) => {
    const members = [...left].filter(belongs);
    members.forEach(game => left.delete(game));
    return { group, options: members.map(game => [game.name, game.title]) };
  }).filter(({ options }) => options.length);
  if (!catalogue.games.some(game => game.name === name)) options.unshift([name, name]);
  return select(options, name, onchange, { "aria-label": "Game", "data-testid": "game" });
}

/** The agents that can play a game, those for beginners first. */
export function agentOptions(catalogue, about) {
  const levels = [["random", "Random"], ["flat-mc", "Flat Monte Carlo"], [usualAgent, "Tree search"]];
  const named = Object.keys(catalogue.agents).filter(name => about.splits || !name.includes("@"));
  return [
    { group: "Levels", options: levels },
    { group: "Agents", options: named.filter(name => !levels.some(level => level[0] === name)).map(name => [name, name]) },
  ];
}

let lists = 0;

/** A field for any agent, with proposals. */
export function agentField(catalogue, about, value, onchange, properties = {}) {
  const id = `agents-${++lists}`;
  const names = Object.entries(catalogue.agents).filter(([name]) => about.splits || !name.includes("@"));
  const field = h("input", { value, list: id, spellcheck: false, autocomplete: "off", "aria-label": "Agent", ...properties });
  field.onchange = () => onchange(field.value.trim());
  // An empty field shows all proposals.
  field.onfocus = () => field.select();
  return h("span", { className: "field" }, field,
    h("datalist", { id }, names.map(([name, words]) => h("option", { value: name, label: words }))));
}
