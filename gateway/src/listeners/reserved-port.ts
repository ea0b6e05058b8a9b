import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { createBrokerSocketServer } from '@lintel/broker/broker-listeners';
import { rethrowListenErrorWithAddress } from './rethrow-listen-error-with-address.ts';

/** A port that is bound before the gateway is claimed. Connections are closed until the broker takes over the server. */
export class ReservedPort {
  readonly port: number;
  readonly #server: Server;
  readonly #reject = (socket: Socket): void => {
    socket.on('error', () => undefined).destroy();
  };

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
    server.on('connection', this.#reject);
  }

  static async open(host: string, port: number): Promise<ReservedPort> {
    const server = createBrokerSocketServer();
    server.listen(port, host);
    await rethrowListenErrorWithAddress(host, port, once(server, 'listening'));
    // Such as EMFILE, which later connections may not meet.
    server.on('error', () => undefined);
    return new ReservedPort(server);
  }

  /** The caller serves and closes the server from now on. */
  releaseServer(): Server {
    this.#server.off('connection', this.#reject);
    return this.#server;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
