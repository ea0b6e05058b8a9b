import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join, relative } from 'node:path';

interface PartsDescription {
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, boolean>>;
}

type Said = { readonly done: true } | { readonly error: string } | { readonly output: string } | PartsDescription;

/** The hands on the simulated parts of a controller: orders over its socket, one answer for each. */
export class PartsLine {
  readonly #socket: Socket;
  readonly #waiting: Array<(problem: string | null) => void> = [];
  #rest = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#heard(text));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      for (const answer of this.#waiting.splice(0)) answer('the controller is without power');
    });
  }

  static async open(dataDir: string): Promise<PartsLine> {
    const path = join(dataDir, 'parts.sock');
    const fromHere = relative(process.cwd(), path);
    // A socket's path has at most 107 bytes, however deep the folder lies.
    const socket = createConnection(fromHere.length < path.length ? fromHere : path);
    await once(socket, 'connect');
    return new PartsLine(socket);
  }

  #heard(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const said = JSON.parse(line) as Said;
      if ('done' in said) this.#waiting.shift()?.(null);
      else if ('error' in said) this.#waiting.shift()?.(said.error);
    }
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
