import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

/** Operates the simulated parts of a controller over its socket, one answer for each order. */
export class PartsClient {
  readonly #socket: Socket;
  readonly #waiting: Array<(problem: string | null) => void> = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      for (const answer of this.#waiting.splice(0)) answer('the controller is without power');
    });
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined);
    lines.on('line', line => {
      const { done, error } = JSON.parse(line) as { readonly done?: true; readonly error?: string };
      if (done === true || error !== undefined) this.#waiting.shift()?.(error ?? null);
    });
  }

  static async open(dataDir: string): Promise<PartsClient> {
    const path = join(dataDir, 'parts.sock');
    const fromHere = relative(process.cwd(), path);
    // The path of a socket has at most 107 bytes.
    const socket = createConnection(fromHere.length < path.length ? fromHere : path);
    await once(socket, 'connect');
    return new PartsClient(socket);
  }

  /** Null when it is done, otherwise why it is not. */
  order(order: object): Promise<string | null> {
    if (!this.#socket.writable) return Promise.resolve('the controller is without power');
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.#socket.write(`${JSON.stringify(order)}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
