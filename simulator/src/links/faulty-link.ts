import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import type { LineMode } from '@lintel/wire-protocol/simulator/switches';

const LOOPBACK = '127.0.0.1';
const SLOW_MS = 1500;

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export interface FaultyLinkOptions {
  /** What goes from the near end to the far end of one connection, as it arrives there. */
  readonly watch?: () => (chunk: Buffer) => void;
  readonly onChange: () => void;
  /** The delay of a slow link, each way. */
  readonly slowMs?: number;
  readonly now?: () => number;
  readonly timers?: Timers;
}

/** A TCP proxy that can be cut, slowed down and left half open. */
export class FaultyLink {
  readonly port: number;
  /** Of the part at the far end, which may come later. */
  target: number | null = null;
  readonly #server: Server;
  readonly #options: FaultyLinkOptions;
  readonly #pairs = new Set<Pair>();
  #mode: LineMode = 'up';

  private constructor(server: Server, port: number, options: FaultyLinkOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    server.on('connection', near => this.#accept(near));
  }

  static async open(options: FaultyLinkOptions): Promise<FaultyLink> {
    const server = createServer({ noDelay: true }).listen(0, LOOPBACK);
    await once(server, 'listening');
    return new FaultyLink(server, (server.address() as { port: number }).port, options);
  }

  get url(): string {
    return `mqtt://${LOOPBACK}:${this.port}`;
  }

  get mode(): LineMode {
    return this.#mode;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  switchTo(mode: LineMode): void {
    this.#mode = mode;
    for (const pair of this.#pairs) {
      if (mode === 'cut' || (mode !== 'half_open' && (pair.near.destroyed || pair.far.destroyed))) this.#end(pair);
      else if (mode === 'half_open') this.#each(pair, socket => socket.pause());
      else this.#each(pair, socket => socket.resume());
    }
    this.#options.onChange();
  }

  #each({ near, far }: Pair, act: (socket: Socket) => void): void {
    act(near);
    act(far);
  }

  #end(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    this.#each(pair, socket => socket.destroy());
    this.#options.onChange();
  }

  #accept(near: Socket): void {
    if (this.#mode === 'cut' || this.target === null) return void near.resetAndDestroy();
    const far = connect({ port: this.target, host: LOOPBACK, noDelay: true });
    const pair = { near, far };
    this.#pairs.add(pair);
    this.#each(pair, socket => {
      socket.on('error', () => undefined);
      // A half-open link does not tell one end that the other has closed.
      socket.once('close', () => this.#mode !== 'half_open' && this.#end(pair));
    });
    this.#carry(near, far, this.#options.watch?.() ?? (() => undefined));
    this.#carry(far, near, () => undefined);
    if (this.#mode === 'half_open') this.#each(pair, socket => socket.pause());
    this.#options.onChange();
  }

  #carry(from: Socket, to: Socket, watch: (chunk: Buffer) => void): void {
    const deliver = (chunk: Buffer): void => {
      if (to.destroyed) return;
      watch(chunk);
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => this.#mode !== 'half_open' && from.resume());
    };
    // In order, also when a timer is late and the link has become fast meanwhile.
    const now = this.#options.now ?? (() => performance.now());
    const timers = this.#options.timers ?? processTimers;
    const underWay: { readonly chunk: Buffer; readonly due: number }[] = [];
    const arrive = (): void => {
      while (underWay[0] !== undefined && underWay[0].due <= now()) deliver(underWay.shift()!.chunk);
      if (underWay[0] !== undefined) timers.after(underWay[0].due - now(), arrive);
    };
    from.on('data', (chunk: Buffer) => {
      const delay = this.#mode === 'slow' ? (this.#options.slowMs ?? SLOW_MS) : 0;
      if (delay === 0 && underWay.length === 0) return deliver(chunk);
      const due = Math.max(underWay.at(-1)?.due ?? 0, now() + delay);
      if (underWay.push({ chunk, due }) === 1) timers.after(delay, arrive);
    });
  }

  async close(): Promise<void> {
    this.switchTo('cut');
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
