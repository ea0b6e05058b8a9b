import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST_PORT = 10_000;
/** The kernel assigns ports from here on. */
const KERNEL_PORTS = 30_000;

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
};

/**
 * The first of `count` adjacent ports for a program that cannot choose its port itself. The kernel does not give them to
 * other connections before the program listens.
 */
export const findFreePort = async (count = 1): Promise<number> => {
  const port = randomInt(FIRST_PORT, KERNEL_PORTS - count);
  for (let each = port; each < port + count; each++) if (!(await isFree(each))) return findFreePort(count);
  return port;
};
