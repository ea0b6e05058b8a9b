import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { PortCheck } from './port-check.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const listening = async (): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer(socket => socket.on('error', () => undefined).destroy());
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { port: number }).port };
};

it('knows ports that are open, and does not before it has looked', async () => {
  const { port } = await listening();
  const check = new PortCheck({
    addresses: () => [`mqtt://127.0.0.1:${port}`, `http://127.0.0.1:${port}`],
    monotonic: () => performance.now(),
  });
  expect(check.state.isOpen).toBe(false);
  await expect.poll(() => check.state).toEqual({ isOpen: true, isLate: false });
});

it('sees that one of them is shut, and that it is open again', async () => {
  const [stays, goes] = [await listening(), await listening()];
  const check = new PortCheck({
    addresses: () => [stays, goes].map(({ port }) => `mqtt://127.0.0.1:${port}`),
    monotonic: () => performance.now(),
  });
  await expect.poll(() => check.state.isOpen).toBe(true);
  goes.server.close();
  await expect.poll(() => check.state.isOpen, { timeout: 5000 }).toBe(false);
  goes.server.listen(goes.port, '127.0.0.1');
  await expect.poll(() => check.state.isOpen, { timeout: 5000 }).toBe(true);
});

it('takes a port that does not speak TLS for shut where TLS is promised', async () => {
  const { server, port } = await listening();
  let knocks = 0;
  server.on('connection', () => knocks++);
  const addresses = () => [`mqtts://127.0.0.1:${port}`];
  const check = new PortCheck({ addresses, monotonic: () => performance.now() });
  await expect.poll(() => check.state.isOpen || knocks, { timeout: 5000 }).toBeGreaterThan(2);
  expect(check.state.isOpen).toBe(false);
});
