import type { Socket } from 'node:net';
import { getUrlHost } from './loopback-address.ts';
import { openPlainSocket, type SocketConnectOptions } from './open-socket.ts';

const LONGEST_RESPONSE = 8192;
const HTTP = 80;

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Reads the response head of a proxy. The server sends nothing before the client does. */
const headOf = (socket: Socket, { host, port, timeoutMs, signal }: SocketConnectOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    let head = '';
    const end = (work: () => void) => (): void => {
      clearTimeout(late);
      socket.off('data', take).off('close', onClose);
      signal?.removeEventListener('abort', giveUp);
      work();
    };
    const onClose = end(() => reject(new Error(`the proxy closed the tunnel to ${host}:${port}`)));
    const late = setTimeout(() => {
      end(() => reject(new Error(`the proxy did not open a tunnel to ${host}:${port} in time`)))();
      socket.destroy();
    }, timeoutMs);
    const take = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n') || head.length > LONGEST_RESPONSE) {
        socket.pause();
        end(() => resolve(head))();
      }
    };
    const giveUp = (): void => void socket.destroy();
    signal?.addEventListener('abort', giveUp);
    socket.on('data', take).once('close', onClose);
  });

/** Opens a tunnel through an HTTP proxy, such as a gateway. The server certificate must still be checked. */
export const openProxyTunnel = async (proxy: string, target: SocketConnectOptions): Promise<Socket> => {
  const address = URL.parse(proxy);
  if (address?.protocol !== 'http:') throw new Error(`${proxy} is not a proxy URL`);
  const port = address.port === '' ? HTTP : Number(address.port);
  const { timeoutMs, signal } = target;
  const socket = await openPlainSocket({ host: getUrlHost(address), port, timeoutMs, signal });
  const named = `${bracketed(target.host)}:${target.port}`;
  socket.write(`CONNECT ${named} HTTP/1.1\r\nHost: ${named}\r\n\r\n`);
  const head = await headOf(socket, target);
  if (/^HTTP\/1\.[01] 200 /.test(head)) return socket;
  socket.destroy();
  throw new Error(`${address.host} rejects a tunnel to ${named}: ${head.split('\r\n')[0]?.slice(0, 100) ?? ''}`);
};
