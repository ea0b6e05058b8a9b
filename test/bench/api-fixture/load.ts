import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The next request's bytes, as often as it is asked. */
export type NextRequest = () => string;

const HEAD_END = Buffer.from('\r\n\r\n');

/** How many bytes the first whole answer in the buffer has; 0 while it is not whole. Throws on anything but 200. */
const answerLength = (buffer: Buffer): number => {
  const headEnd = buffer.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const head = buffer.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${head}\n${buffer.toString('utf8', headEnd)}`.slice(0, 1000));
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  const whole = headEnd + HEAD_END.length + Number(length);
  return buffer.length >= whole ? whole : 0;
};

/** One connection that asks again as soon as it is answered. It parses no more than it must, so as not to be the limit. */
class Asker {
  answers = 0;
  readonly #socket: Socket;
  readonly #next: NextRequest;
  #received: Buffer = Buffer.alloc(0);
  #stopping = false;
  #stopped = (): void => undefined;
  #failed: (error: unknown) => void = () => undefined;

  constructor(socket: Socket, next: NextRequest) {
    this.#socket = socket.setNoDelay(true);
    this.#next = next;
    socket.on('data', chunk => this.#take(chunk));
    socket.on('error', error => this.#failed(error));
  }

  /** Until `stop`; settles when the last answer is there. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stopped = resolve;
      this.#failed = reject;
      this.#socket.write(this.#next());
    });
  }

  stop(): void {
    this.#stopping = true;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    try {
      if (answerLength(this.#received) === 0) return;
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#received = Buffer.alloc(0);
    this.answers += 1;
    if (this.#stopping) this.#stopped();
    else this.#socket.write(this.#next());
  }
}

/** Answers a second, with so many connections that ask without pause. */
export const perSecond = async (
  port: number,
  connections: number,
  milliseconds: number,
  next: NextRequest,
): Promise<number> => {
  const askers = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return new Asker(socket, next);
    }),
  );
  const started = performance.now();
  const running = askers.map(asker => asker.run());
  setTimeout(() => {
    for (const asker of askers) asker.stop();
  }, milliseconds);
  await Promise.all(running);
  const seconds = (performance.now() - started) / 1000;
  for (const asker of askers) asker.close();
  return askers.reduce((sum, { answers }) => sum + answers, 0) / seconds;
};

export const getRequest = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`;

export const postRequest = (path: string, token: string, body: object): string => {
  const json = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
};
