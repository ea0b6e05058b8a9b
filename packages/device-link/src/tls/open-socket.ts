import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';

export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** Given up at once when it says so. */
  readonly signal?: AbortSignal | undefined;
}

export interface TlsTarget extends SocketTarget {
  /** In PEM: who we are. */
  readonly own?: { readonly key: string; readonly certificate: string };
  /** What speaks against the server, or null. Asked before anything is said to it. */
  readonly judge: (socket: TLSSocket) => string | null;
  /** A way to it that is open already, instead of the network's own. */
  readonly through?: Socket;
}

/** Somebody else answers, or the right one with the wrong certificate. Nothing was said to it. */
export class UntrustedServer extends Error {
  override readonly name = 'UntrustedServer';
}

const opened = <S extends Socket>(
  socket: S,
  readyEvent: string,
  { host, port, timeoutMs, signal }: SocketTarget,
): Promise<S> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      reject(error);
    };
    const giveUp = (): void => fail(new Error('no longer wanted'));
    const late = setTimeout(() => fail(new Error(`${host}:${port} does not answer`)), timeoutMs);
    const onClose = (): void => fail(new Error(`${host}:${port} has hung up`));
    socket.once('error', fail);
    socket.once('close', onClose);
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp);
    socket.once(readyEvent, () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
      socket.off('error', fail);
      socket.off('close', onClose);
      // Whoever takes the socket over listens for himself; until then an error must not end the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });

export const openPlainSocket = (target: SocketTarget): Promise<Socket> =>
  opened(connectPlain({ host: target.host, port: target.port, noDelay: true }), 'connect', target);

export const openTlsSocket = async (target: TlsTarget): Promise<TLSSocket> => {
  const { host, port, own, judge, through } = target;
  const options: ConnectionOptions = {
    ...(through === undefined ? { host, port } : { socket: through }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(own === undefined ? {} : { key: own.key, cert: own.certificate }),
  };
  const socket = await opened(connectTls(options), 'secureConnect', target);
  const objection = judge(socket);
  if (objection !== null) {
    socket.destroy();
    throw new UntrustedServer(`${host}:${port} is not trusted: ${objection}`);
  }
  socket.setNoDelay(true);
  return socket;
};
