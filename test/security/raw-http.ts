import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface RawResponse {
  /** Null if the server closed the connection without a response. */
  readonly status: number | null;
  readonly text: string;
}

const open = async ({ protocol, hostname, port }: URL): Promise<Socket> => {
  const address = { host: hostname, port: Number(port) };
  if (protocol === 'http:') {
    const socket = connect(address);
    await once(socket, 'connect');
    return socket;
  }
  const socket = connectTls({ ...address, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
};

/** Sends these bytes, which an HTTP client would refuse or normalize, and reads until the server closes. */
export const sendRaw = async (url: string, lines: readonly string[]): Promise<RawResponse> => {
  const socket = await open(new URL(url));
  const chunks: Buffer[] = [];
  socket.on('data', chunk => void chunks.push(chunk));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  await closed;
  const text = Buffer.concat(chunks).toString();
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  return { status: status === undefined ? null : Number(status), text };
};
