// An agent that thinks in a process of its own.

import { ask, end, listen } from "./connection.js";

const patience = 1000;

/** One of the two agents of a tab, "left" or "right". */
export class Mind {
  constructor(name) {
    this.name = name;
    this.isBusy = false;
    this.hasBegun = false;
    listen(name, "thought", thought => {
      this.hasBegun = true;
      this.onthought?.(thought);
    });
  }

  /** Think about a situation; gives the last thought, null if it was interrupted. */
  async think(situation, agent, seconds, { onthought = null, player = null } = {}) {
    this.onthought = onthought;
    this.isBusy = true;
    this.hasBegun = false;
    const turn = (this.turn = {});
    try {
      return await ask(this.name, "think", { ...situation, agent, seconds, player });
    } finally {
      if (this.turn === turn) this.isBusy = false;
    }
  }

  /** Stop thinking. Who has begun and does not listen is ended; getting ready ends by itself. */
  async stop() {
    this.onthought = null;
    if (!this.isBusy) return;
    const timer = setTimeout(() => this.hasBegun && end(this.name).catch(() => {}), patience);
    await ask(this.name, "stop").catch(() => {});
    clearTimeout(timer);
  }

  /** What grows out of a node of its tree. */
  branches(path) {
    return ask(this.name, "branches", { path });
  }
}

export const left = new Mind("left");
export const right = new Mind("right");
