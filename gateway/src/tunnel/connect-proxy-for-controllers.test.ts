import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BridgeTunnel, parseTunnelTarget } from './connect-proxy-for-controllers.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
});

/** Responds with the same text in capitals. */
const echo = async (): Promise<number> => {
  const server: Server = createServer(socket => {
    socket.on('data', data => socket.write(data.toString().toUpperCase())).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return (server.address() as { port: number }).port;
};

const request = async (port: number, head: string, then = ''): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  let received = '';
  for await (const data of socket as AsyncIterable<Buffer>) {
    received += data.toString();
    if (then !== '' && received.includes('established')) socket.write(then);
    if (then === '' || received.includes(then.toUpperCase())) break;
  }
  socket.destroy();
  return received;
};

const openTunnel = async (bridgeUrl: string): Promise<BridgeTunnel> => {
  const tunnel = await BridgeTunnel.listen('127.0.0.1', 0);
  open.push(tunnel);
  tunnel.setBridgeUrl(bridgeUrl, () => undefined);
  return tunnel;
};

describe('BridgeTunnel', () => {
  it('rejects connections before the address of the bridge is known', async () => {
    const bridge = await echo();
    const tunnel = await BridgeTunnel.listen('127.0.0.1', 0);
    open.push(tunnel);
    const call = `CONNECT 127.0.0.1:${bridge} HTTP/1.1\r\n\r\n`;
    expect(await request(tunnel.port, call)).toMatch(/^HTTP\/1.1 403/);
    tunnel.setBridgeUrl(`https://127.0.0.1:${bridge}`, () => undefined);
    expect(await request(tunnel.port, call)).toMatch(/^HTTP\/1.1 200/);
  });

  it('passes bytes to the bridge unchanged', async () => {
    const bridge = await echo();
    const tunnel = await openTunnel(`https://127.0.0.1:${bridge}/api`);
    const received = await request(tunnel.port, `CONNECT 127.0.0.1:${bridge} HTTP/1.1\r\n\r\n`, 'hello');
    expect(received).toBe('HTTP/1.1 200 Connection established\r\n\r\nHELLO');
  });

  it('rejects other targets and other requests', async () => {
    const [bridge, other] = [await echo(), await echo()];
    const tunnel = await openTunnel(`https://127.0.0.1:${bridge}`);
    expect(await request(tunnel.port, `CONNECT 127.0.0.1:${other} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/);
    expect(await request(tunnel.port, `CONNECT localhost:${bridge} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/);
    expect(await request(tunnel.port, `GET http://127.0.0.1:${bridge}/ HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 405/,
    );
  });

  it('reports an unreachable bridge', async () => {
    const tunnel = await openTunnel('https://127.0.0.1:1');
    expect(await request(tunnel.port, 'CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 502/);
  });

  it('derives its target from the address of the bridge, with TLS only', () => {
    expect(parseTunnelTarget('https://doors.example.com')).toEqual({ host: 'doors.example.com', port: 443 });
    expect(parseTunnelTarget('https://[::1]:8443/x')).toEqual({ host: '::1', port: 8443 });
    expect(parseTunnelTarget('http://doors.example.com')).toBeNull();
  });
});
