import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Slowness {
  readonly latency_ms: number;
  readonly bytesPerSecond: number;
}

const PIECE_BYTES = 1024;
/** What a slow line holds before it takes no more. */
const MOST_HELD = 64 * 1024;

/** One direction of one connection: what goes in comes out in order, as fast as the line is. */
class Way {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #line: FaultLine;
  #held = 0;
  #last: Promise<void> = Promise.resolve();
  isFrozen = false;

  constructor(from: Socket, to: Socket, line: FaultLine) {
    this.#from = from;
    this.#to = to;
    this.#line = line;
    from.on('data', chunk => this.#take(chunk));
  }

  #take(chunk: Buffer): void {
    if (this.isFrozen) return;
    const slowness = this.#line.slowness;
    if (slowness === null && this.#held === 0) return this.#deliver(chunk);
    this.#held += chunk.length;
    if (this.#held > MOST_HELD) this.#from.pause();
    this.#last = this.#last.then(() => this.#crawl(chunk, slowness));
  }

  async #crawl(chunk: Buffer, slowness: Slowness | null): Promise<void> {
    if (slowness !== null) await delay(slowness.latency_ms);
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      if (slowness !== null) await delay((piece.length / slowness.bytesPerSecond) * 1000);
      this.#deliver(piece);
    }
    this.#held -= chunk.length;
    if (this.#held <= MOST_HELD) this.#from.resume();
  }

  #deliver(bytes: Buffer): void {
    if (this.isFrozen || this.#to.destroyed) return;
    if (!this.#to.write(bytes)) {
      this.#from.pause();
      this.#to.once('drain', () => this.#from.resume());
    }
    this.#line.passed(bytes.length);
  }
}

/** A way to a broker with everything that goes wrong with ways. */
export class FaultLine {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #ways = new Set<Way>();
  readonly #watches = new Set<{ rest: number; readonly reached: () => void }>();
  isCut = false;
  slowness: Slowness | null = null;
  connections = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** To the broker at that address. */
  static async to(url: string): Promise<FaultLine> {
    const target = Number(new URL(url).port);
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new FaultLine(server, (server.address() as { port: number }).port);
    server.on('connection', socket => line.#accept(socket, target));
    return line;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  #accept(socket: Socket, target: number): void {
    if (this.isCut) return void socket.resetAndDestroy();
    this.connections++;
    const other = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const ways = [new Way(socket, other, this), new Way(other, socket, this)];
    for (const way of ways) this.#ways.add(way);
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        this.#sockets.delete(one);
        // Behind a frozen line nobody hears that the other end is gone.
        if (ways.some(({ isFrozen }) => isFrozen)) return;
        for (const way of ways) this.#ways.delete(way);
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

  /** When so many bytes more have passed, in whatever direction. */
  after(bytes: number): Promise<void> {
    return new Promise(resolve => {
      this.#watches.add({ rest: bytes, reached: resolve });
    });
  }

  /** In the middle of whatever is said then; the next connection is as good as new. */
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

  /** Half open: those that are connected stay so and nothing comes through any more. New connections are sound. */
  freeze(): void {
    for (const way of this.#ways) way.isFrozen = true;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
