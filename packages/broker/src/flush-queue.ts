interface Flushable {
  flush(): void;
}

/**
 * The lanes of one broker that have written in this turn. They are flushed at its end, when all that has arrived has been
 * read, so that an acknowledgement and the next message share one packet of the network.
 */
export class FlushQueue {
  #lanes: Flushable[] = [];

  add(lane: Flushable): void {
    if (this.#lanes.push(lane) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const lanes = this.#lanes;
    this.#lanes = [];
    for (const lane of lanes) lane.flush();
  }
}
