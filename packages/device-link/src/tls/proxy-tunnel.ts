import type { Socket } from 'node:net';
import { hostOf } from './loopback.ts';
import { openPlainSocket, type SocketTarget } from './open-socket.ts';

const LONGEST_ANSWER = 8192;
const HTTP = 80;

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The head of a proxy's answer. What comes behind it is the server's, and it speaks only when it is spoken to. */
const headOf = (socket: Socket, { host, port, timeoutMs, signal }: SocketTarget): Promise<string> =>
  new Promise((resolve, reject) => {
    let head = '';
    const end = (work: () => void) => (): void => {
      clearTimeout(late);
      socket.off('data', take).off('close', onClose);
      signal?.removeEventListener('abort', giveUp);
      work();
    };
    const onClose = end(() => reject(new Error(`the way to ${host}:${port} was closed`)));
    const late = setTimeout(() => {
      end(() => reject(new Error(`the way to ${host}:${port} does not open`)))();
      socket.destroy();
    }, timeoutMs);
    const take = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n') || head.length > LONGEST_ANSWER) {
        socket.pause();
        end(() => resolve(head))();
      }
    };
    const giveUp = (): void => void socket.destroy();
    signal?.addEventListener('abort', giveUp);
    socket.on('data', take).once('close', onClose);
  });

/** A way to the server through an HTTP proxy, such as a site's gateway. Whoever it leads to still has to prove itself. */
export const openTunnel = async (proxy: string, target: SocketTarget): Promise<Socket> => {
  const address = URL.parse(proxy);
  if (address?.protocol !== 'http:') throw new Error(`${proxy} is no address of a proxy`);
  const port = address.port === '' ? HTTP : Number(address.port);
  const { timeoutMs, signal } = target;
  const socket = await openPlainSocket({ host: hostOf(address), port, timeoutMs, signal });
  const named = `${bracketed(target.host)}:${target.port}`;
  socket.write(`CONNECT ${named} HTTP/1.1\r\nHost: ${named}\r\n\r\n`);
  const head = await headOf(socket, target);
  if (/^HTTP\/1\.[01] 200 /.test(head)) return socket;
  socket.destroy();
  throw new Error(`${address.host} does not lead to ${named}: ${head.split('\r\n')[0]?.slice(0, 100) ?? ''}`);
};
