import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

interface Response {
  readonly done?: true;
  readonly error?: string;
  readonly value?: string;
}

const noPower: Response = { error: 'The controller has no power' };

/** Operates simulated hardware of a controller over its socket. Each command has one response. */
export class SimulatedHardwareClient {
  readonly #socket: Socket;
  readonly #pending: Array<(response: Response) => void> = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      for (const resolve of this.#pending.splice(0)) resolve(noPower);
    });
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined);
    lines.on('line', line => {
      const response = JSON.parse(line) as Response;
      const isResponse = response.done === true || response.error !== undefined || response.value !== undefined;
      if (isResponse) this.#pending.shift()?.(response);
    });
  }

  static async open(dataDir: string, name: 'parts.sock' | 'radio.sock'): Promise<SimulatedHardwareClient> {
    const path = join(dataDir, name);
    const relativePath = relative(process.cwd(), path);
    // A socket path may have at most 107 bytes.
    const socket = createConnection(relativePath.length < path.length ? relativePath : path);
    await once(socket, 'connect');
    return new SimulatedHardwareClient(socket);
  }

  request(command: object): Promise<Response> {
    if (!this.#socket.writable) return Promise.resolve(noPower);
    return new Promise(resolve => {
      this.#pending.push(resolve);
      this.#socket.write(`${JSON.stringify(command)}\n`);
    });
  }

  /** Returns null on success, otherwise the reason for the failure. */
  async send(command: object): Promise<string | null> {
    return (await this.request(command)).error ?? null;
  }

  close(): void {
    this.#socket.destroy();
  }
}
