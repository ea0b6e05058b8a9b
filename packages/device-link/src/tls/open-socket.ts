import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { toProtocolError } from '@lintel/service/connections/protocol-error';

export interface SocketConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** Aborts the connection attempt. */
  readonly signal?: AbortSignal | undefined;
}

export interface TlsConnectOptions extends SocketConnectOptions {
  /** In PEM. */
  readonly clientCertificate?: { readonly key: string; readonly certificate: string };
  /** Why the server is not trusted, or null. Called before anything is sent. */
  readonly rejectionReason: (socket: TLSSocket) => string | null;
  /** An open tunnel to the server, instead of a direct connection. */
  readonly tunnel?: Socket;
}

/** The certificate of the server is not trusted. Nothing was sent. */
export class UntrustedServerError extends Error {
  override readonly name = 'UntrustedServerError';
}

const waitUntilOpen = <S extends Socket>(
  socket: S,
  readyEvent: string,
  { host, port, timeoutMs, signal }: SocketConnectOptions,
): Promise<S> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      reject(error);
    };
    const giveUp = (): void => fail(new Error('aborted'));
    const late = setTimeout(() => fail(new Error(`${host}:${port} does not respond`)), timeoutMs);
    const onClose = (): void => fail(new Error(`${host}:${port} closed the connection`));
    const onError = (error: Error): void => fail(toProtocolError(`${host}:${port}`, error));
    socket.once('error', onError);
    socket.once('close', onClose);
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp);
    socket.once(readyEvent, () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
      socket.off('error', onError);
      socket.off('close', onClose);
      // Until the caller adds a listener, an error must not end the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });

export const openPlainSocket = (target: SocketConnectOptions): Promise<Socket> =>
  waitUntilOpen(connectPlain({ host: target.host, port: target.port, noDelay: true }), 'connect', target);

export const openTlsSocket = async (target: TlsConnectOptions): Promise<TLSSocket> => {
  const { host, port, clientCertificate, rejectionReason, tunnel } = target;
  const options: ConnectionOptions = {
    ...(tunnel === undefined ? { host, port } : { socket: tunnel }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(clientCertificate === undefined ? {} : { key: clientCertificate.key, cert: clientCertificate.certificate }),
  };
  const socket = await waitUntilOpen(connectTls(options), 'secureConnect', target);
  const reason = rejectionReason(socket);
  if (reason !== null) {
    socket.destroy();
    throw new UntrustedServerError(`${host}:${port} is not trusted: ${reason}`);
  }
  socket.setNoDelay(true);
  return socket;
};
