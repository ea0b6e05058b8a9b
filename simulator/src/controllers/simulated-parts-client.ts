import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

/** Operates the simulated parts of a controller over its socket. Each command has one response. */
export class SimulatedPartsClient {
  readonly #socket: Socket;
  readonly #pending: Array<(problem: string | null) => void> = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      for (const resolve of this.#pending.splice(0)) resolve('The controller has no power');
    });
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined);
    lines.on('line', line => {
      const { done, error } = JSON.parse(line) as { readonly done?: true; readonly error?: string };
      if (done === true || error !== undefined) this.#pending.shift()?.(error ?? null);
    });
  }

  static async open(dataDir: string): Promise<SimulatedPartsClient> {
    const path = join(dataDir, 'parts.sock');
    const relativePath = relative(process.cwd(), path);
    // A socket path may have at most 107 bytes.
    const socket = createConnection(relativePath.length < path.length ? relativePath : path);
    await once(socket, 'connect');
    return new SimulatedPartsClient(socket);
  }

  /** Returns null on success, otherwise the reason for the failure. */
  send(command: object): Promise<string | null> {
    if (!this.#socket.writable) return Promise.resolve('The controller has no power');
    return new Promise(resolve => {
      this.#pending.push(resolve);
      this.#socket.write(`${JSON.stringify(command)}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
