import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { GatewayPortCheck } from './own-ports-reachable-check.ts';

const servers: Server[] = [];
let now = 0;
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Advances by the check interval with each call, so that every poll starts a check. */
const nextCheckTime = (): number => (now += 250);

const listening = async (): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer(socket => socket.on('error', () => undefined).destroy());
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { port: number }).port };
};

describe('GatewayPortCheck', () => {
  it('reports open ports, but not before the first check', async () => {
    const { port } = await listening();
    const check = new GatewayPortCheck({
      addresses: () => [`mqtt://127.0.0.1:${port}`, `http://127.0.0.1:${port}`],
      monotonic: nextCheckTime,
    });
    expect(check.state.isOpen).toBe(false);
    await expect.poll(() => check.state).toEqual({ isOpen: true, isSlow: false });
  });

  it('detects that a port closes and opens again', async () => {
    const [stays, goes] = [await listening(), await listening()];
    const check = new GatewayPortCheck({
      addresses: () => [stays, goes].map(({ port }) => `mqtt://127.0.0.1:${port}`),
      monotonic: nextCheckTime,
    });
    await expect.poll(() => check.state.isOpen).toBe(true);
    goes.server.close();
    await expect.poll(() => check.state.isOpen).toBe(false);
    goes.server.listen(goes.port, '127.0.0.1');
    await expect.poll(() => check.state.isOpen).toBe(true);
  });

  it('treats a port without TLS as closed where TLS is expected', async () => {
    const { server, port } = await listening();
    let knocks = 0;
    server.on('connection', () => knocks++);
    const addresses = () => [`mqtts://127.0.0.1:${port}`];
    const check = new GatewayPortCheck({ addresses, monotonic: nextCheckTime });
    await expect.poll(() => check.state.isOpen || knocks).toBeGreaterThan(2);
    expect(check.state.isOpen).toBe(false);
  });
});
