import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import type { SimulatedLinkMode } from '@lintel/wire-protocol/simulator/network-links';

const LOOPBACK = '127.0.0.1';
const SLOW_MS = 1500;

interface ProxiedConnection {
  readonly client: Socket;
  readonly upstream: Socket;
}

export interface FaultProxyOptions {
  /** Called for each connection. The result receives the data from client to upstream on delivery. */
  readonly watch?: () => (chunk: Buffer) => void;
  readonly onChange: () => void;
  /** The delay of a slow link, each way. */
  readonly slowMs?: number;
  readonly now?: () => number;
  readonly timers?: Timers;
}

/** A TCP proxy that can be cut, slowed down and left half open. */
export class FaultProxy {
  readonly port: number;
  /** Upstream port. Null until the upstream process listens. */
  target: number | null = null;
  readonly #server: Server;
  readonly #options: FaultProxyOptions;
  readonly #pairs = new Set<ProxiedConnection>();
  #mode: SimulatedLinkMode = 'up';

  private constructor(server: Server, port: number, options: FaultProxyOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    server.on('connection', client => this.#accept(client));
  }

  static async open(options: FaultProxyOptions): Promise<FaultProxy> {
    const server = createServer({ noDelay: true }).listen(0, LOOPBACK);
    await once(server, 'listening');
    return new FaultProxy(server, (server.address() as { port: number }).port, options);
  }

  get url(): string {
    return `mqtt://${LOOPBACK}:${this.port}`;
  }

  get mode(): SimulatedLinkMode {
    return this.#mode;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  switchTo(mode: SimulatedLinkMode): void {
    this.#mode = mode;
    for (const pair of this.#pairs) {
      if (mode === 'cut' || (mode !== 'half_open' && (pair.client.destroyed || pair.upstream.destroyed)))
        this.#end(pair);
      else if (mode === 'half_open') this.#each(pair, socket => socket.pause());
      else this.#each(pair, socket => socket.resume());
    }
    this.#options.onChange();
  }

  #each({ client, upstream }: ProxiedConnection, action: (socket: Socket) => void): void {
    action(client);
    action(upstream);
  }

  #end(pair: ProxiedConnection): void {
    if (!this.#pairs.delete(pair)) return;
    this.#each(pair, socket => socket.destroy());
    this.#options.onChange();
  }

  #accept(client: Socket): void {
    if (this.#mode === 'cut' || this.target === null) return void client.resetAndDestroy();
    const upstream = connect({ port: this.target, host: LOOPBACK, noDelay: true });
    const pair = { client, upstream };
    this.#pairs.add(pair);
    this.#each(pair, socket => {
      socket.on('error', () => undefined);
      // A half-open link does not pass on that one end has closed.
      socket.once('close', () => this.#mode !== 'half_open' && this.#end(pair));
    });
    this.#forward(client, upstream, this.#options.watch?.() ?? (() => undefined));
    this.#forward(upstream, client, () => undefined);
    if (this.#mode === 'half_open') this.#each(pair, socket => socket.pause());
    this.#options.onChange();
  }

  #forward(from: Socket, to: Socket, watch: (chunk: Buffer) => void): void {
    const deliver = (chunk: Buffer): void => {
      if (to.destroyed) return;
      watch(chunk);
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => this.#mode !== 'half_open' && from.resume());
    };
    // A queue keeps the order, even when the link becomes fast again before a timer fires.
    const now = this.#options.now ?? (() => performance.now());
    const timers = this.#options.timers ?? processTimers;
    const inTransit: { readonly chunk: Buffer; readonly due: number }[] = [];
    const deliverDue = (): void => {
      while (inTransit[0] !== undefined && inTransit[0].due <= now()) deliver(inTransit.shift()!.chunk);
      if (inTransit[0] !== undefined) timers.after(inTransit[0].due - now(), deliverDue);
    };
    from.on('data', (chunk: Buffer) => {
      const delay = this.#mode === 'slow' ? (this.#options.slowMs ?? SLOW_MS) : 0;
      if (delay === 0 && inTransit.length === 0) return deliver(chunk);
      const due = Math.max(inTransit.at(-1)?.due ?? 0, now() + delay);
      if (inTransit.push({ chunk, due }) === 1) timers.after(delay, deliverDue);
    });
  }

  async close(): Promise<void> {
    this.switchTo('cut');
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
