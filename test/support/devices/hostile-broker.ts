import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type DownlinkMessageKind, parseMqttTopic, type UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { Aedes } from 'aedes';

export interface RecordedMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
}

type Kind = DownlinkMessageKind | UplinkMessageKind | 'revoke';

const kindOf = (topic: string): Kind | null => parseMqttTopic(topic)?.kind ?? null;

/** A broker that accepts every client, records all messages, and can withhold, replay and forge them. */
export class HostileBroker {
  readonly url: string;
  readonly seen: RecordedMessage[] = [];
  /** Called for each message; a withheld message reaches no subscriber. */
  withholds: (message: RecordedMessage) => boolean = () => false;
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

  messagesOf(kind: Kind): readonly RecordedMessage[] {
    return this.seen.filter(({ topic }) => kindOf(topic) === kind);
  }

  withhold(...kinds: readonly Kind[]): void {
    this.withholds = ({ topic }) => kinds.includes(kindOf(topic) as Kind);
  }

  /** Forgets what it has recorded and withholds nothing. */
  reset(): void {
    this.seen.length = 0;
    this.stopWithholding();
  }

  stopWithholding(): void {
    this.withholds = () => false;
  }

  /** Resolves when it has been sent to every subscriber. */
  publish(topic: string, payload: Uint8Array): Promise<void> {
    const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false } as const;
    return new Promise((resolve, reject) => {
      this.#aedes.publish(packet, error => (error == null ? resolve() : reject(error)));
    });
  }

  async replay(messages: readonly RecordedMessage[]): Promise<void> {
    for (const { topic, payload } of messages) await this.publish(topic, payload);
  }

  /** Drops all connections. */
  disconnectAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.disconnectAll();
    await new Promise<void>(resolve => {
      this.#aedes.close(resolve);
    });
    this.#server.close();
  }
}
