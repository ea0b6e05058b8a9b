import { chmodSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { readOrder } from './parts-order.ts';
import type { SimulatedParts } from './simulated-parts.ts';

const LONGEST_LINE = 4_096;
/** Of Linux, for sockets. */
const LONGEST_PATH = 107;
const MOST_CLIENTS = 32;
/** Who does not read what it is told is cut off before it costs memory. */
const MOST_UNREAD = 1_048_576;

const send = (client: Socket, message: object): void => {
  if (client.writableLength > MOST_UNREAD) client.destroy();
  else if (client.writable) client.write(`${JSON.stringify(message)}\n`);
};

/** Calls with each whole line; one that does not end ends the connection. */
const eachLine = (client: Socket, take: (line: string) => void): void => {
  let rest = '';
  client.setEncoding('utf8');
  client.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    if (lines.some(line => line.length > LONGEST_LINE)) return void client.destroy();
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(line);
  });
};

const isAnswered = async (path: string): Promise<boolean> => {
  const client = connect(path);
  try {
    await once(client, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    client.destroy();
  }
};

/** What a controller that was killed has left behind is removed; that of one that runs is not. */
const clearWay = async (path: string): Promise<void> => {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error(`a socket's path has at most ${LONGEST_PATH} bytes`);
  if (await isAnswered(path)) throw new Error(`${path} is in use: another controller runs on this folder`);
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

const answer = async (client: Socket, parts: SimulatedParts, line: string, before: Promise<void>): Promise<void> => {
  await before;
  const order = readOrder(line);
  // What goes wrong inside is the fault of this one line.
  const problem = typeof order === 'string' ? order : await parts.obey(order).catch(() => 'this cannot be done');
  send(client, problem === null ? { done: true } : { error: problem });
};

const serve = (parts: SimulatedParts, clients: Set<Socket>): Server =>
  createServer(client => {
    if (clients.size >= MOST_CLIENTS) return void client.destroy();
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    send(client, parts.describe());
    // One after the other: a phone takes a moment, and the key that was pressed after it comes after it.
    let last = Promise.resolve();
    eachLine(client, line => {
      last = answer(client, parts, line, last);
    });
  });

/** Lets other programs of this user press, tap, move and watch the parts. Resolves when it listens. */
export const openPartsSocket = async (path: string, parts: SimulatedParts): Promise<{ close(): Promise<void> }> => {
  await clearWay(path);
  const clients = new Set<Socket>();
  const server = serve(parts, clients);
  parts.outputs.onChange(({ output, on }) => {
    for (const client of clients) send(client, { output, on });
  });
  server.listen(path);
  await once(server, 'listening');
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: async () => {
      for (const client of clients) client.destroy();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
};
