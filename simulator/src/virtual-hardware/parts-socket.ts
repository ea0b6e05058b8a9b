import { chmodSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { parseSimulatedPartsCommand } from './parts-command.ts';
import type { SimulatedParts } from './simulated-parts.ts';

const MAX_LINE_LENGTH = 4_096;
/** Limit of Linux for socket paths. */
const MAX_PATH_BYTES = 107;
const MAX_CLIENTS = 32;
/** A client that does not read is disconnected at this limit. */
const MAX_UNREAD_BYTES = 1_048_576;

const send = (client: Socket, message: object): void => {
  if (client.writableLength > MAX_UNREAD_BYTES) client.destroy();
  else if (client.writable) client.write(`${JSON.stringify(message)}\n`);
};

/** Calls `handle` for each complete line. Disconnects a client whose line is too long. */
const eachLine = (client: Socket, handle: (line: string) => void): void => {
  let rest = '';
  client.setEncoding('utf8');
  client.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    if (lines.some(line => line.length > MAX_LINE_LENGTH)) return void client.destroy();
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') handle(line);
  });
};

const isInUse = async (path: string): Promise<boolean> => {
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

/** Removes the socket of a killed controller. Throws when another controller uses it. */
const removeStaleSocket = async (path: string): Promise<void> => {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Error(`The socket path must have at most ${MAX_PATH_BYTES} bytes`);
  if (await isInUse(path)) throw new Error(`${path} is in use: another controller uses this data folder`);
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

const respond = async (client: Socket, parts: SimulatedParts, line: string, previous: Promise<void>): Promise<void> => {
  await previous;
  const command = parseSimulatedPartsCommand(line);
  // An internal error fails only this command.
  const problem = typeof command === 'string' ? command : await parts.execute(command).catch(() => 'internal error');
  send(client, problem === null ? { done: true } : { error: problem });
};

const serve = (parts: SimulatedParts, clients: Set<Socket>): Server =>
  createServer(client => {
    if (clients.size >= MAX_CLIENTS) return void client.destroy();
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    send(client, parts.describe());
    // Commands run in order: a phone tap is asynchronous, and the next key must come after it.
    let last = Promise.resolve();
    eachLine(client, line => {
      last = respond(client, parts, line, last);
    });
  });

/** Opens a socket through which other programs of this user operate and watch the parts. */
export const openSimulatedPartsSocket = async (
  path: string,
  parts: SimulatedParts,
): Promise<{ close(): Promise<void> }> => {
  await removeStaleSocket(path);
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
