interface Flushable {
  flush(): void;
}

/**
 * The connections of a broker that have written in this turn of the event loop. They are flushed at its end, so that an
 * acknowledgement and the next message share one network packet.
 */
export class FlushQueue {
  #connections: Flushable[] = [];

  add(connection: Flushable): void {
    if (this.#connections.push(connection) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const connections = this.#connections;
    this.#connections = [];
    for (const connection of connections) connection.flush();
  }
}
