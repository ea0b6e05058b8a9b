import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  isGenuineDelivery,
  isGenuineStandardDelivery,
  LintelApiError,
  LintelClient,
  OAuthTokenSource,
  type OAuthTokens,
} from '@lintel/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { blocksOf, readPage } from '../../docs/markdown.test-support.ts';
import { OAuthFixture } from '../../support/bridge/oauth-fixture.ts';
import type { TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

describe('@lintel/client', () => {
  let fixture: OAuthFixture;
  let bridge: TestBridge;
  let receiver: WebhookTestServer;
  let organization: TestOrganizationClient;
  let address: string;
  beforeAll(async () => {
    receiver = await WebhookTestServer.open();
    fixture = await OAuthFixture.open({ webhookAllow: ['127.0.0.0/8'], webhookSweepMs: 20 });
    ({ bridge } = fixture);
    organization = await bridge.newOrganization();
    address = await bridge.listen('127.0.0.1', 0);
  });
  afterAll(async () => {
    await fixture.close();
    await receiver.close();
  });

  const connect = (token = organization.token): LintelClient => new LintelClient({ baseUrl: `${address}/v2`, token });

  it('runs the guest stay of its README', async () => {
    const sample = blocksOf(readPage('packages/client/README.md')).find(({ language }) => language === 'typescript');
    const { id } = await connect().call('createMemberGroup', { body: { name: 'Room 12', permissions: [{}] } });
    const { stdout } = await run(
      process.execPath,
      ['--conditions=lintel-source', '--input-type=module-typescript', '-e', sample!.text],
      {
        cwd: root,
        env: { BASE_URL: `${address}/v2`, TOKEN: organization.token, GROUP_ID: id },
      },
    );
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      'The PIN has 6 digits',
      'create member',
      'create member_group_association',
      'create member_pin',
    ]);
  });

  it('runs the guest stay of the Python page', async context => {
    if (spawnSync('python3', ['--version']).status !== 0) context.skip('python3 is not installed');
    const sample = blocksOf(readPage('docs/integrator/python.md')).find(({ language }) => language === 'python');
    const { id } = await connect().call('createMemberGroup', { body: { name: 'Room 14', permissions: [{}] } });
    const { stdout } = await run('python3', ['-c', sample!.text], {
      env: { ...process.env, BASE_URL: `${address}/v2`, TOKEN: organization.token, GROUP_ID: id },
    });
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      'The PIN has 6 digits',
      'create member',
      'create member_group_association',
      'create member_pin',
      'deleted: True',
    ]);
  });

  it('iterates over all pages of a list, with a filter by metadata', async () => {
    const client = connect();
    for (const name of ['a', 'b', 'c'])
      await client.call('createMember', { body: { name, metadata: { batch: 'é&1' } } });
    const found = client.iterate('listMembers', { query: { limit: 2, sort: 'name:asc', metadata: { batch: 'é&1' } } });
    const names: string[] = [];
    for await (const { name } of found) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
  });

  it('rejects with the error of the bridge', async () => {
    const refused = connect().call('createMemberPin', { path: { member_id: 'mem_unknown' }, body: { length: 6 } });
    await expect(refused).rejects.toBeInstanceOf(LintelApiError);
    await expect(refused).rejects.toMatchObject({ status: 404, type: 'not_found', requestId: expect.any(String) });
    await expect(connect('lat_unknown').call('getOrganization')).rejects.toThrow('expired or been revoked');
  });

  it('repeats a POST with the same key after a lost response, so that it has one effect', async () => {
    let attempts = 0;
    const client = new LintelClient({
      baseUrl: `${address}/v2`,
      token: organization.token,
      wait: async () => undefined,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        attempts += 1;
        if (attempts === 1) throw new TypeError('connection reset');
        return response;
      },
    });
    await client.call('createMember', { body: { name: 'Once', metadata: { batch: 'once' } } });
    expect(attempts).toBe(2);
    expect((await client.call('listMembers', { query: { metadata: { batch: 'once' } } })).data).toHaveLength(1);
  });

  it('shares one refresh between concurrent requests, before and after the token expires', async () => {
    const tenant = await fixture.newTenant();
    const granted = await fixture.tokens(tenant, { scope: 'full_read_write offline' });
    const stored: OAuthTokens[] = [];
    const tokens = new OAuthTokenSource({
      tokenUrl: `${address}/oauth2/token`,
      clientId: tenant.application.clientId,
      clientSecret: tenant.application.secret,
      tokens: granted as unknown as OAuthTokens,
      onTokens: given => void stored.push(given),
      now: () => bridge.now,
    });
    const client = new LintelClient({ baseUrl: `${address}/v2`, token: tokens });
    const readThrice = () => Promise.all([1, 2, 3].map(() => client.call('getOrganization')));
    expect((await readThrice()).map(({ id }) => id)).toEqual(Array(3).fill(tenant.organizationId));
    expect(stored).toHaveLength(0);
    bridge.advanceSeconds(3590);
    await readThrice();
    expect(stored).toHaveLength(1);
    await fetch(`${address}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({
        token: stored[0]!.access_token,
        client_id: tenant.application.clientId,
        client_secret: tenant.application.secret,
      }),
    });
    await readThrice();
    expect(stored).toHaveLength(2);
  });

  it('verifies deliveries of a webhook by both signatures', async () => {
    const client = connect();
    const { secret } = await client.call('createWebhook', {
      body: { url: `${receiver.url}/client`, filter: [{ object_type: 'member', verb: 'create' }] },
    });
    await client.call('createMember', { body: { name: 'Ännä ☃' } });
    const [delivered] = await receiver.received('/client', 1);
    const headers = delivered!.headers as Record<string, string>;
    const body = Uint8Array.from(delivered!.raw);
    const signature = headers['x-service-sig-sha256']!;
    expect(await isGenuineDelivery(secret, body, signature)).toBe(true);
    expect(await isGenuineStandardDelivery(secret, body, headers, bridge.now)).toBe(true);
    for (const wrong of [undefined, '', signature.slice(1), `${signature}00`, signature.replaceAll(/./g, '0')])
      expect(await isGenuineDelivery(secret, body, wrong)).toBe(false);
    expect(await isGenuineStandardDelivery(secret, body, headers, bridge.now + 301_000)).toBe(false);
    expect(await isGenuineStandardDelivery(secret, body.slice(1), headers, bridge.now)).toBe(false);
    expect(await isGenuineStandardDelivery(secret, body, {}, bridge.now)).toBe(false);
  });

  it('follows events, and resumes after an interruption without a gap', async () => {
    const client = connect();
    const stop = new AbortController();
    const events = client.stream({ 'object.type': 'member', verb: 'create' }, { signal: stop.signal });
    const first = events.next();
    const create = async (name: string): Promise<string> => (await client.call('createMember', { body: { name } })).id;
    const ids = [await create('before')];
    expect((await first).value?.object.member_id).toBe(ids[0]);
    bridge.app.websocketServer.clients.forEach(socket => socket.terminate());
    ids.push(await create('during'), await create('after'));
    const [second, third] = [await events.next(), await events.next()];
    expect([second.value?.object.member_id, third.value?.object.member_id]).toEqual(ids.slice(1));
    stop.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('asks for new events where the platform has no WebSocket, also after the network has failed', async () => {
    vi.stubGlobal('WebSocket', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const stop = new AbortController();
    const waits: number[] = [];
    let isConnected = true;
    const client = new LintelClient({
      baseUrl: `${address}/v2`,
      token: organization.token,
      maxAttempts: 1,
      wait: async ms => {
        waits.push(ms);
        isConnected = true;
      },
      fetch: async (url, init) => {
        if (isConnected) return fetch(url, init);
        throw new TypeError('fetch failed');
      },
    });
    const create = async (name: string) => (await connect().call('createMember', { body: { name } })).id;
    const { data } = await connect().call('listEvents', { query: { limit: 1, sort: 'recorded_at:desc' } });
    const filter = { 'object.type': 'member', verb: 'create' } as const;
    const events = client.stream(filter, { since: data[0]!.id, signal: stop.signal });
    const ids = [await create('one'), await create('two')];
    expect((await events.next()).value?.object.member_id).toBe(ids[0]);
    expect((await events.next()).value?.object.member_id).toBe(ids[1]);
    ids.push(await create('three'));
    isConnected = false;
    expect((await events.next()).value?.object.member_id).toBe(ids[2]);
    expect(waits.length).toBeGreaterThan(1);
    stop.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await expect(client.stream({ verb: 'unknown' as never }).next()).rejects.toMatchObject({ type: 'invalid_request' });
  });

  it('rejects a stream with an invalid filter', async () => {
    const events = connect().stream({ verb: 'unknown' });
    await expect(events.next()).rejects.toMatchObject({ type: 'invalid_request', args: { field: 'verb' } });
  });
});
