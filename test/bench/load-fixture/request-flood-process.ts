import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { getRequest } from '../api-fixture/http-load.ts';

/** Sends requests on every connection as fast as they are answered, and ignores Retry-After, as a faulty client does. */
export interface FloodSettings {
  readonly port: number;
  readonly path: string;
  /** One connection for each. */
  readonly tokens: readonly string[];
}

export interface FloodReport {
  readonly served: number;
  /** Responses with 429 or 503. */
  readonly shed: number;
  readonly others: number;
}

const { port, path, tokens } = JSON.parse(process.argv[2] ?? '') as FloodSettings;
const counts = { served: 0, shed: 0, others: 0 };

const count = (head: string): void => {
  const status = head.slice(9, 12);
  counts[status === '200' ? 'served' : status === '429' || status === '503' ? 'shed' : 'others']++;
};

const flood = (socket: Socket, request: string): void => {
  let received = '';
  socket.on('data', chunk => {
    received += chunk.toString('latin1');
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]);
    if (received.length < headEnd + 4 + length) return;
    count(received);
    received = '';
    socket.write(request);
  });
  socket.on('error', () => undefined);
  socket.write(request);
};

process.on('message', () => process.send?.({ ...counts } satisfies FloodReport));
process.once('disconnect', () => process.exit(0));
for (const token of tokens) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  flood(socket, getRequest(path, token));
}
process.send?.('started');
