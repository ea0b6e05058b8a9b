import { once } from 'node:events';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const outcome = new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false));
    server.once('listening', () => resolve(true));
  });
  server.listen(port, LOOPBACK);
  const free = await outcome;
  if (free) {
    server.close();
    await once(server, 'close');
  }
  return free;
};

/** The wanted port, or 0 for any when somebody has it, which is said. */
export const portLike = async (wanted: number, what: string, say: (line: string) => void): Promise<number> => {
  if (wanted === 0 || (await isFree(wanted))) return wanted;
  say(`Port ${wanted} is taken: ${what} gets a free one.`);
  return 0;
};
