import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookAddressGuard } from '../http/webhook-address-guard.ts';
import { WebhookClient } from './webhook-client.ts';

const server = createServer((request, response) => {
  if (request.url === '/silent') return;
  if (request.url === '/long') response.writeHead(500).end('x'.repeat(100_000));
  else if (request.url === '/long-success') response.writeHead(200).end('x'.repeat(1_000_000));
  else response.writeHead(200).end('{}');
});
let port: number;
let connections = 0;
server.on('connection', () => (connections += 1));
beforeAll(async () => {
  server.listen(0, '::');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

const post = async (host: string, allowed: readonly string[], path = '/') => {
  const client = new WebhookClient(new WebhookAddressGuard(allowed), Date.now);
  const result = await client.post({ id: 'whd_1', url: `http://${host}:${port}${path}`, secret: 's', body: '{}' });
  await client.close();
  return result;
};

describe('WebhookClient', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '0x7f.1',
    '2130706433',
    '0.0.0.0',
  ])('rejects loopback written as %s without opening a connection', async host => {
    const before = connections;
    expect(await post(host, [])).toMatchObject({
      responseStatus: null,
      isUnreachable: true,
      error: expect.stringContaining('not a public'),
    });
    expect(connections).toBe(before);
  });

  it('calls allowed addresses and names', async () => {
    expect(await post('127.0.0.1', ['127.0.0.0/8'])).toMatchObject({ responseStatus: 200, error: null });
    expect(await post('localhost', ['127.0.0.0/8', '::1'])).toMatchObject({ responseStatus: 200, error: null });
    expect(await post('127.0.0.1', ['::1'])).toMatchObject({ responseStatus: null });
  });

  it('calls an allowed address and port, also by name, and no other port', async () => {
    const endpoints = [`127.0.0.1:${port}`, `[::1]:${port}`];
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      expect(await post(host, endpoints)).toMatchObject({ responseStatus: 200 });
    }
    const before = connections;
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      expect(await post(host, ['127.0.0.1:1', '[::1]:1'])).toMatchObject({ isUnreachable: true });
    }
    expect(connections).toBe(before);
  });

  it('connects only to the allowed addresses of a name', async () => {
    const guard = new WebhookAddressGuard(['127.0.0.0/8'], (_, __, callback) =>
      queueMicrotask(() =>
        callback(null, [
          { address: '10.0.0.1', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ]),
      ),
    );
    const client = new WebhookClient(guard, Date.now);
    const request = { id: 'whd_1', url: `http://receiver.example.test:${port}/`, secret: 's', body: '{}' };
    expect(await client.post(request)).toMatchObject({ responseStatus: 200 });
    await client.close();
  });

  it('ends requests whose host name is not resolved yet when it closes', async () => {
    const { promise: lookedUp, resolve } = Promise.withResolvers<void>();
    const client = new WebhookClient(new WebhookAddressGuard([], () => resolve()), Date.now);
    const result = client.post({ id: 'whd_1', url: 'http://receiver.example.test/', secret: 's', body: '{}' });
    await lookedUp;
    await client.close();
    expect(await result).toMatchObject({ responseStatus: null, error: expect.any(String) });
  });

  it('keeps only the beginning of a long response', async () => {
    const result = await post('127.0.0.1', ['127.0.0.0/8'], '/long');
    expect(result).toMatchObject({ responseStatus: 500, responseBody: 'x'.repeat(1000) });
  });

  it('succeeds without reading all of a long response', async () => {
    expect(await post('127.0.0.1', ['127.0.0.0/8'], '/long-success')).toMatchObject({
      responseStatus: 200,
      responseBody: null,
      error: null,
    });
  });

  it('uses connections again', async () => {
    const client = new WebhookClient(new WebhookAddressGuard(['127.0.0.0/8']), Date.now);
    const request = { id: 'whd_1', url: `http://127.0.0.1:${port}/`, secret: 's', body: '{}' };
    const before = connections;
    for (let count = 0; count < 10; count++) expect(await client.post(request)).toMatchObject({ error: null });
    await client.close();
    expect(connections - before).toBeLessThan(5);
  });

  it('ends requests without a response when it closes', async () => {
    const client = new WebhookClient(new WebhookAddressGuard(['127.0.0.0/8']), Date.now);
    const received = once(server, 'request');
    const request = { id: 'whd_1', url: `http://127.0.0.1:${port}/silent`, secret: 's', body: '{}' };
    const result = client.post(request);
    await received;
    await client.close();
    expect(await result).toMatchObject({ responseStatus: null, isUnreachable: false, error: expect.any(String) });
  });

  it('reports a refused connection', async () => {
    const client = new WebhookClient(new WebhookAddressGuard(['127.0.0.0/8']), Date.now);
    const result = await client.post({ id: 'whd_1', url: 'http://127.0.0.1:1/', secret: 's', body: '{}' });
    expect(result).toMatchObject({
      responseStatus: null,
      isUnreachable: true,
      error: expect.stringContaining('ECONNREFUSED'),
    });
    await client.close();
  });
});
