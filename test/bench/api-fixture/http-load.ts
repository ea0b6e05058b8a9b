import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Returns the text of the next request. */
export type NextRequest = () => string;

const HEAD_END = Buffer.from('\r\n\r\n');

/** The length of the first response in the buffer, or 0 while it is incomplete. Throws unless its status is 200. */
const responseLength = (buffer: Buffer): number => {
  const headEnd = buffer.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const head = buffer.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${head}\n${buffer.toString('utf8', headEnd)}`.slice(0, 1000));
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('Response without Content-Length');
  const end = headEnd + HEAD_END.length + Number(length);
  return buffer.length >= end ? end : 0;
};

/** Sends the next request on one connection after each response. Parses little, so that it is not the bottleneck. */
class RequestLoop {
  responses = 0;
  readonly #socket: Socket;
  readonly #next: NextRequest;
  #received: Buffer = Buffer.alloc(0);
  #isStopping = false;
  #stopped = (): void => undefined;
  #failed: (error: unknown) => void = () => undefined;

  constructor(socket: Socket, next: NextRequest) {
    this.#socket = socket.setNoDelay(true);
    this.#next = next;
    socket.on('data', chunk => this.#take(chunk));
    socket.on('error', error => this.#failed(error));
  }

  /** Runs until `stop`. Resolves after the last response. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stopped = resolve;
      this.#failed = reject;
      this.#socket.write(this.#next());
    });
  }

  stop(): void {
    this.#isStopping = true;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    try {
      if (responseLength(this.#received) === 0) return;
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#received = Buffer.alloc(0);
    this.responses += 1;
    if (this.#isStopping) this.#stopped();
    else this.#socket.write(this.#next());
  }
}

/** Measures requests per second with this number of busy connections. */
export const requestsPerSecond = async (
  port: number,
  connections: number,
  milliseconds: number,
  next: NextRequest,
): Promise<number> => {
  const loops = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return new RequestLoop(socket, next);
    }),
  );
  const started = performance.now();
  const running = loops.map(loop => loop.run());
  setTimeout(() => {
    for (const loop of loops) loop.stop();
  }, milliseconds);
  await Promise.all(running);
  const seconds = (performance.now() - started) / 1000;
  for (const loop of loops) loop.close();
  return loops.reduce((sum, { responses }) => sum + responses, 0) / seconds;
};

export const getRequest = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;

export const postRequest = (path: string, token: string, body: object): string => {
  const json = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
};
