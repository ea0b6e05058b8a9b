import { once } from 'node:events';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const listening = new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false));
    server.once('listening', () => resolve(true));
  });
  server.listen(port, LOOPBACK);
  const free = await listening;
  if (free) {
    server.close();
    await once(server, 'close');
  }
  return free;
};

/** The preferred port if it is free. Otherwise prints a notice and returns 0, which selects any free port. */
export const choosePreferredPortOrAny = async (
  preferred: number,
  purpose: string,
  print: (line: string) => void,
): Promise<number> => {
  if (preferred === 0 || (await isFree(preferred))) return preferred;
  print(`Port ${preferred} is in use. A free port is used for ${purpose}.`);
  return 0;
};
