import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type DownKind, parseTopic, type UpKind } from '@lintel/wire-protocol/mqtt/topics';
import { Aedes } from 'aedes';

export interface SeenMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
}

type Kind = DownKind | UpKind | 'revoke';

const kindOf = (topic: string): Kind | null => parseTopic(topic)?.kind ?? null;

/** A broker in the wrong hands: it lets everybody in, reads along, keeps things back, repeats them and makes some up. */
export class HostileBroker {
  readonly url: string;
  readonly seen: SeenMessage[] = [];
  /** What it does not pass on. */
  withholds: (message: SeenMessage) => boolean = () => false;
  readonly #aedes: Aedes;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(aedes: Aedes, server: Server) {
    this.#aedes = aedes;
    this.#server = server;
    this.url = `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`;
    server.on('connection', socket => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    aedes.on('publish', ({ topic, payload }, client) => {
      if (client !== null) this.seen.push({ topic, payload: Buffer.from(payload) });
    });
    aedes.authorizeForward = (_client, packet) =>
      this.withholds({ topic: packet.topic, payload: packet.payload as Buffer }) ? null : packet;
  }

  static async start(): Promise<HostileBroker> {
    const aedes = await Aedes.createBroker();
    const server = createServer({ noDelay: true }, aedes.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HostileBroker(aedes, server);
  }

  of(kind: Kind): readonly SeenMessage[] {
    return this.seen.filter(({ topic }) => kindOf(topic) === kind);
  }

  withhold(...kinds: readonly Kind[]): void {
    this.withholds = ({ topic }) => kinds.includes(kindOf(topic) as Kind);
  }

  /** As if it had just been taken over. */
  forget(): void {
    this.seen.length = 0;
    this.passAll();
  }

  passAll(): void {
    this.withholds = () => false;
  }

  /** Settles when everybody who listens has been sent it. */
  say(topic: string, payload: Uint8Array): Promise<void> {
    const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false } as const;
    return new Promise((resolve, reject) => {
      this.#aedes.publish(packet, error => (error == null ? resolve() : reject(error)));
    });
  }

  async sayAgain(messages: readonly SeenMessage[]): Promise<void> {
    for (const { topic, payload } of messages) await this.say(topic, payload);
  }

  /** Cuts everybody's line. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>(resolve => {
      this.#aedes.close(resolve);
    });
    this.#server.close();
  }
}
