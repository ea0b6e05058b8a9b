import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { BridgeHttpOptions } from './bridge-connection.ts';
import { BridgeHttpClient } from './bridge-http-client.ts';
import { ClaimOrRenewalError } from './claim-or-renewal-error.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const trust = { fingerprint: null, authority: null, bySystem: false };

const clientOf = async (listener: RequestListener, options: Partial<BridgeHttpOptions> = {}, path = '') => {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new BridgeHttpClient(`http://127.0.0.1:${port}${path}`, { trust, now: 0, ...options });
};

describe('BridgeHttpClient', () => {
  it('sends method, query, token, headers and body below the path of the bridge, and returns any status', async () => {
    const client = await clientOf(
      (request, response) => {
        const { method, url, headers } = request;
        const { authorization, 'x-test': test } = headers;
        void text(request).then(body =>
          response.writeHead(409).end(JSON.stringify([method, url, authorization, test, body])),
        );
      },
      {},
      '/lintel',
    );
    const request = { method: 'PUT', token: 't', headers: { 'x-test': 'yes' }, body: { a: 'ä' } } as const;
    const { status, text: body } = await client.send('v2/things?limit=2', request);
    expect(status).toBe(409);
    expect(JSON.parse(body)).toEqual(['PUT', '/lintel/v2/things?limit=2', 'Bearer t', 'yes', '{"a":"ä"}']);
  });

  it('rejects a response that is larger than the limit', async () => {
    const client = await clientOf((_, response) => response.end('x'.repeat(1_001)));
    await expect(client.send('', { method: 'GET' }, 1_000)).rejects.toThrow('too long');
    await expect(client.send('', { method: 'GET' }, 1_001)).resolves.toMatchObject({ status: 200 });
  });

  it('gives up a bridge that does not finish its response in time', async () => {
    const client = await clientOf((_, response) => response.write('begun'), { timeoutMs: 50 });
    await expect(client.send('', { method: 'GET' })).rejects.toThrow();
  });

  it('gives up a stream that goes silent', async () => {
    const client = await clientOf((_, response) => response.write('begun'));
    await expect(client.stream('', { method: 'GET' }, 50).then(text)).rejects.toThrow();
  });

  it('ends a request that is aborted while the bridge works on it', async () => {
    const abort = new AbortController();
    const client = await clientOf(() => abort.abort(), { signal: abort.signal });
    await expect(client.send('', { method: 'GET' })).rejects.toThrow('aborted');
  });

  it('does not connect to another machine without TLS', async () => {
    const client = new BridgeHttpClient('http://192.0.2.1', { trust, now: 0 });
    await expect(client.send('', { method: 'GET' })).rejects.toThrow(ClaimOrRenewalError);
  });

  it.each(['ftp://doors.example.com', 'nonsense'])('rejects %s as an address', async url => {
    await expect(new BridgeHttpClient(url, { trust, now: 0 }).send('', { method: 'GET' })).rejects.toThrow(
      ClaimOrRenewalError,
    );
  });
});
