import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { brokerSocketServer } from '@lintel/broker/broker-listeners';
import { listeningAt } from './cannot-listen.ts';

/** A port that is the gateway's from the start. Whoever comes is turned away until the broker takes it over. */
export class ReservedPort {
  readonly port: number;
  readonly #server: Server;
  readonly #turnAway = (socket: Socket): void => {
    socket.on('error', () => undefined).destroy();
  };

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
    server.on('connection', this.#turnAway);
  }

  static async at(host: string, port: number): Promise<ReservedPort> {
    const server = brokerSocketServer();
    server.listen(port, host);
    await listeningAt(host, port, once(server, 'listening'));
    // Too many open files: the next one may fit again.
    server.on('error', () => undefined);
    return new ReservedPort(server);
  }

  /** The broker serves it from now on, and closes it. */
  handOver(): Server {
    this.#server.off('connection', this.#turnAway);
    return this.#server;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
