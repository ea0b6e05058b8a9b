import { chmodSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { getErrorCode } from '@lintel/service/error-code';

const MAX_LINE_LENGTH = 4_096;
/** Limit of Linux for socket paths. */
const MAX_PATH_BYTES = 107;
const MAX_CLIENTS = 32;
/** A client that does not read is disconnected at this limit. */
const MAX_UNREAD_BYTES = 1_048_576;

export interface TextLineSocketClient {
  send(message: object): void;
}

/** What a server does for one client. */
export interface TextLineClientHandler {
  /** Lines are handled in order, one at a time. */
  respond(line: string): Promise<object>;
  onClose(): void;
}

const sendTo = (client: Socket, message: object): void => {
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
    if (getErrorCode(error) !== 'ENOENT') throw error;
  }
};

const respond = async (
  client: Socket,
  service: TextLineClientHandler,
  line: string,
  previous: Promise<void>,
): Promise<void> => {
  await previous;
  // An internal error fails only this command.
  sendTo(client, await service.respond(line).catch(() => ({ error: 'internal error' })));
};

/** Opens a socket for other programs of this user, with one JSON document per line in both directions. */
export const openTextLineSocket = async (
  path: string,
  serve: (client: TextLineSocketClient) => TextLineClientHandler,
): Promise<{ close(): Promise<void> }> => {
  await removeStaleSocket(path);
  const clients = new Set<Socket>();
  const server = createServer(client => {
    if (clients.size >= MAX_CLIENTS) return void client.destroy();
    clients.add(client);
    const service = serve({ send: message => sendTo(client, message) });
    client.on('close', () => {
      clients.delete(client);
      service.onClose();
    });
    client.on('error', () => client.destroy());
    let last = Promise.resolve();
    eachLine(client, line => {
      last = respond(client, service, line, last);
    });
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
