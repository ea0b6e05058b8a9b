import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
  readonly event?: string;
  readonly data?: { readonly device?: string };
}

/** Client of QEMU's control protocol. Sends one command at a time and records events. */
export class QmpClient {
  readonly #socket: Socket;
  readonly #events: Message[] = [];
  #answered: (message: Message) => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', line => {
      const message = JSON.parse(line) as Message;
      if (message.event !== undefined) this.#events.push(message);
      else if (message.return !== undefined || message.error !== undefined) this.#answered(message);
    });
  }

  static async open(path: string): Promise<QmpClient> {
    const socket = createConnection(path);
    await once(socket, 'connect');
    const qmp = new QmpClient(socket);
    await qmp.order('qmp_capabilities');
    return qmp;
  }

  async order(execute: string, args: object = {}): Promise<unknown> {
    const answer = new Promise<Message>(resolve => {
      this.#answered = resolve;
    });
    this.#socket.write(`${JSON.stringify({ execute, arguments: args })}\n`);
    const { error, ...message } = await answer;
    if (error !== undefined) throw new Error(`${execute}: ${error.desc}`);
    return message.return;
  }

  /** True when the guest has released a removed device. */
  isGone(device: string): boolean {
    return this.#events.some(({ event, data }) => event === 'DEVICE_DELETED' && data?.device === device);
  }

  forget(): void {
    this.#events.length = 0;
  }
}
