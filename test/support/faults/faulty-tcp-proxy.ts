import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface LinkSlowdown {
  readonly latency_ms: number;
  readonly bytesPerSecond: number;
}

const PIECE_BYTES = 1024;
/** What a slow link buffers before it stops reading. */
const BUFFER_BYTES = 64 * 1024;

/** One direction of one connection. Bytes keep their order. */
class Direction {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #link: FaultyTcpProxy;
  #buffered = 0;
  #last: Promise<void> = Promise.resolve();
  isFrozen = false;

  constructor(from: Socket, to: Socket, link: FaultyTcpProxy) {
    this.#from = from;
    this.#to = to;
    this.#link = link;
    from.on('data', chunk => this.#take(chunk));
  }

  #take(chunk: Buffer): void {
    if (this.isFrozen) return;
    const slowdown = this.#link.slowdown;
    if (slowdown === null && this.#buffered === 0) return this.#deliver(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered > BUFFER_BYTES) this.#from.pause();
    this.#last = this.#last.then(() => this.#deliverSlowly(chunk, slowdown));
  }

  async #deliverSlowly(chunk: Buffer, slowdown: LinkSlowdown | null): Promise<void> {
    if (slowdown !== null) await delay(slowdown.latency_ms);
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      if (slowdown !== null) await delay((piece.length / slowdown.bytesPerSecond) * 1000);
      this.#deliver(piece);
    }
    this.#buffered -= chunk.length;
    if (this.#buffered <= BUFFER_BYTES) this.#from.resume();
  }

  #deliver(bytes: Buffer): void {
    if (this.isFrozen || this.#to.destroyed) return;
    if (!this.#to.write(bytes)) {
      this.#from.pause();
      this.#to.once('drain', () => this.#from.resume());
    }
    this.#link.passed(bytes.length);
  }
}

/** A TCP proxy in front of a broker that can be cut, reset, slowed down and left half open. */
export class FaultyTcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #directions = new Set<Direction>();
  readonly #watches = new Set<{ rest: number; readonly reached: () => void }>();
  isCut = false;
  slowdown: LinkSlowdown | null = null;
  connections = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async to(brokerUrl: string): Promise<FaultyTcpProxy> {
    const target = Number(new URL(brokerUrl).port);
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const link = new FaultyTcpProxy(server, (server.address() as { port: number }).port);
    server.on('connection', socket => link.#accept(socket, target));
    return link;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  #accept(socket: Socket, target: number): void {
    if (this.isCut) return void socket.resetAndDestroy();
    this.connections++;
    const other = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const directions = [new Direction(socket, other, this), new Direction(other, socket, this)];
    for (const direction of directions) this.#directions.add(direction);
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        this.#sockets.delete(one);
        // A frozen link does not forward the close to the other end.
        if (directions.some(({ isFrozen }) => isFrozen)) return;
        for (const direction of directions) this.#directions.delete(direction);
        two.destroy();
      });
    }
  }

  passed(bytes: number): void {
    for (const watch of this.#watches) {
      watch.rest -= bytes;
      if (watch.rest > 0) continue;
      this.#watches.delete(watch);
      watch.reached();
    }
  }

  /** Resolves when this many more bytes have passed, both directions together. */
  after(bytes: number): Promise<void> {
    return new Promise(resolve => {
      this.#watches.add({ rest: bytes, reached: resolve });
    });
  }

  /** Resets all connections when this many more bytes have passed. New connections work. */
  resetAfter(bytes: number): Promise<void> {
    return new Promise(resolve => {
      this.#watches.add({
        rest: bytes,
        reached: () => {
          this.reset();
          resolve();
        },
      });
    });
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  cut(): void {
    this.isCut = true;
    this.reset();
  }

  restore(): void {
    this.isCut = false;
  }

  /** Half open: connections stay up and deliver nothing any more. New connections work. */
  freeze(): void {
    for (const direction of this.#directions) direction.isFrozen = true;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
