import { connect } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { EventStreamClient } from '../../support/bridge/event-stream-client.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { iterations } from '../../support/test-iterations-and-seed.ts';

const newMember = async (client: TestOrganizationClient): Promise<string> =>
  (await client.callOk('POST', '/members', {})).id;

const upgradeRequest = (query: string, token: string): string =>
  [
    `GET /v2/events/stream${query} HTTP/1.1`,
    'host: bridge.test',
    'upgrade: websocket',
    'connection: upgrade',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    `authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n');

/** Everything that a plain socket receives until the bridge closes it. */
const upgradeResponse = async (port: number, token: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(upgradeRequest('', token));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
};

describeOnBothDatabases('event stream', bridge => {
  beforeAll(() => bridge().listen('127.0.0.1', 0));
  const follow = (client: TestOrganizationClient, query = '') => EventStreamClient.open(bridge(), query, client.token);

  it('sends new events in order, in the format of the API', async () => {
    const client = await bridge().newOrganization();
    await newMember(client);
    const stream = await follow(client);
    const ids = [await newMember(client), await newMember(client)];
    expect(await stream.members(2)).toEqual(ids);
    expect(stream.events[0]).toEqual(await client.callOk('GET', `/events/${stream.events[0]?.id}`));
    expect(stream.messages[0]).toEqual({ type: 'heartbeat' });
    await stream.close();
  });

  it('sends no events of another organization', async () => {
    const [client, other] = [await bridge().newOrganization(), await bridge().newOrganization()];
    const stream = await follow(client);
    await newMember(other);
    const id = await newMember(client);
    expect(await stream.members(1)).toEqual([id]);
    await stream.close();
  });

  it('supports the filters and expands of the event list', async () => {
    const client = await bridge().newOrganization();
    const stream = await follow(client, '?object.type=member&verb=delete&expand=object_member');
    const id = await newMember(client);
    await client.callOk('POST', '/tags', { name: 'x' });
    await client.callOk('DELETE', `/members/${id}`);
    expect(await stream.members(1)).toEqual([id]);
    expect(stream.events[0]).toMatchObject({ verb: 'delete', object_member: { id, is_deleted: true } });
    await stream.close();
  });

  it('sends an event without expands and with a note when the expands exceed the budget', async () => {
    const client = await bridge().newOrganization();
    const [large, small] = [await newMember(client), await newMember(client)];
    for (let count = 0; count < 2; count++) await client.callOk('POST', `/members/${large}/pins`, { length: 6 });
    const expand = `object_member${'.pins.member'.repeat(26)}`;
    const stream = await follow(client, `?object.type=member&verb=edit&expand=${expand}`);
    for (const id of [large, small]) await client.callOk('PATCH', `/members/${id}`, { name: 'Ann' });
    expect(await stream.members(2)).toEqual([large, small]);
    const [unexpanded, expanded] = stream.messages.filter(({ type }) => type === 'event');
    expect(unexpanded).toMatchObject({ note: expect.stringContaining('20,000 objects or 8 MiB') });
    expect(unexpanded?.event).not.toHaveProperty('object_member');
    expect(expanded).not.toHaveProperty('note');
    expect(expanded?.event).toMatchObject({ object_member: { id: small, pins: [] } });
    await stream.close();
  });

  it('continues after the given event without gaps or duplicates', async () => {
    const client = await bridge().newOrganization();
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) ids.push(await newMember(client));
    const [seventh] = (await client.callOk('GET', `/events?object.member_id=${ids[6]}`)).data;
    const stream = await follow(client, `?since=${seventh?.id}`);
    for (let count = 0; count < 20; count++) ids.push(await newMember(client));
    expect(await stream.members(33)).toEqual(ids.slice(7));
    await stream.close();
  });

  it('accepts the token in the first message, and then sends the events since the connection', async () => {
    const client = await bridge().newOrganization();
    bridge().advanceSeconds(1);
    for (const message of [{ access_token: client.token }, { token: client.token }, `Bearer ${client.token}`]) {
      bridge().advanceSeconds(1);
      const stream = await EventStreamClient.open(bridge(), '', null);
      const id = await newMember(client);
      stream.send(typeof message === 'string' ? message : JSON.stringify(message));
      expect(await stream.members(1)).toEqual([id]);
      await stream.close();
    }
  });

  it.each(['{"access_token":"lat_wrong"}', '{}', 'null', '[1]', '', 'Bearer'])(
    'rejects the first message %s',
    async message => {
      const stream = await EventStreamClient.open(bridge(), '', null);
      stream.send(message);
      expect((await stream.closed).code).toBe(4401);
      expect(stream.messages).toMatchObject([{ type: 'error', error: { type: 'unauthorized' } }]);
    },
  );

  it.each([
    ['?since=evt_none', 'since'],
    ['?limit=5', 'limit'],
    ['?color=red', 'color'],
    ['?expand=nothing', 'expand'],
  ])('rejects %s', async (query, field) => {
    const client = await bridge().newOrganization();
    const stream = await EventStreamClient.open(bridge(), query, null);
    stream.send(JSON.stringify({ access_token: client.token }));
    expect((await stream.closed).code).toBe(4400);
    expect(stream.messages).toMatchObject([{ type: 'error', error: { args: { field } } }]);
    await expect(follow(client, query)).rejects.toThrow('refused');
  });

  it('rejects a wrong token before the upgrade, and plain HTTP requests with an explanation', async () => {
    await expect(EventStreamClient.open(bridge(), '', 'lat_wrong')).rejects.toThrow('refused');
    const { port } = bridge().app.server.address() as { port: number };
    expect(await upgradeResponse(port, 'lat_wrong')).toMatch(/^HTTP\/1\.1 401 [^]*"type":"unauthorized"/);
    const client = await bridge().newOrganization();
    expect(await client.get('/events/stream')).toMatchObject({ status: 400, body: { type: 'invalid_request' } });
    const { statusCode } = await bridge().app.inject({ url: '/v2/events/stream' });
    expect(statusCode).toBe(401);
  });

  it('opens 20 streams for one token, and another one after one of them has ended', async () => {
    const client = await bridge().newOrganization();
    const [first, ...streams] = await Promise.all(Array.from({ length: 20 }, () => follow(client)));
    const { port } = bridge().app.server.address() as { port: number };
    expect(await upgradeResponse(port, client.token)).toMatch(/^HTTP\/1\.1 429 [^]*"type":"rate_limited"/);
    const late = await EventStreamClient.open(bridge(), '', null);
    late.send(JSON.stringify({ access_token: client.token }));
    expect((await late.closed).code).toBe(4429);
    expect(late.messages).toMatchObject([{ error: { message: expect.stringContaining('20 event streams') } }]);
    const other = await follow(await bridge().newOrganization());
    await first!.close();
    await expect.poll(() => follow(client).then(stream => streams.push(stream))).toBe(20);
    await Promise.all([other, ...streams].map(stream => stream.close()));
  });

  it('opens 200 streams for one organization', async () => {
    const { organizationId } = await bridge().newOrganization();
    const streams: EventStreamClient[] = [];
    for (let count = 0; count < 10; count++) {
      const client = await bridge().newApplication(organizationId);
      streams.push(...(await Promise.all(Array.from({ length: 20 }, () => follow(client)))));
    }
    await expect(follow(await bridge().newApplication(organizationId))).rejects.toThrow('refused');
    const other = await follow(await bridge().newOrganization());
    await Promise.all([other, ...streams].map(stream => stream.close()));
  });

  it('opens 50 streams without a token for one network', async () => {
    const client = await bridge().newOrganization();
    const open = () => EventStreamClient.open(bridge(), '', null);
    const [first, ...streams] = await Promise.all(Array.from({ length: 50 }, open));
    await expect(open()).rejects.toThrow('refused');
    const withHeader = await follow(client);
    first!.send(JSON.stringify({ access_token: client.token }));
    await first!.waitUntil(() => first!.messages.length > 0);
    streams.push(await open());
    await Promise.all([first!, withHeader, ...streams].map(stream => stream.close()));
  });
});

/** A client that is busy for longer than two checks is disconnected. */
describeOnBothDatabases(
  'event stream with frequent checks',
  bridge => {
    beforeAll(() => bridge().listen('127.0.0.1', 0));
    const follow = (client: TestOrganizationClient) => EventStreamClient.open(bridge(), '', client.token);

    it('closes when the token expires', async () => {
      const client = await bridge().newOrganization();
      const stream = await follow(client);
      bridge().advanceSeconds(3601);
      expect((await stream.closed).code).toBe(4401);
    });

    it.each(['/v2', '/admin/v1/organizations/:id'])(
      'closes a stream of a script token at %s when its creator loses the role',
      async base => {
        const { organizationId } = await bridge().newOrganization();
        const owner = await openAdminSession(bridge(), organizationId, 'owner');
        const creator = await openAdminSession(bridge(), organizationId, 'administrator');
        const { access_token } = await creator.callOk('POST', '/tokens', { name: 'Follow', scope: 'full_read_only' });
        const path = `${base.replace(':id', organizationId)}/events/stream`;
        const stream = await EventStreamClient.openAt(bridge(), path, {
          authorization: `Bearer ${String(access_token)}`,
        });
        await owner.callOk('PATCH', `/users/${creator.userId}`, { role: 'front_desk' });
        expect((await stream.closed).code).toBe(4401);
      },
    );

    it('sends heartbeats', async () => {
      const client = await bridge().newOrganization();
      const stream = await follow(client);
      await stream.waitUntil(() => stream.messages.filter(({ type }) => type === 'heartbeat').length >= 4);
      await stream.close();
    });
  },
  { streamCheckMs: 50 },
);

/** With the default tick, so that the full buffer and not a missing pong ends the connection. */
describe('event stream with a stalled client', () => {
  it('disconnects a client that does not read, and keeps serving the others', async () => {
    const timers = new ManualTimers();
    const bridge = await TestBridge.open({ timers });
    onTestFinished(() => bridge.close());
    await bridge.listen('127.0.0.1', 0);
    const client = await bridge.newOrganization();
    const { port } = bridge.app.server.address() as { port: number };
    const stalled = connect(port, '127.0.0.1');
    stalled.write(upgradeRequest('?expand=object_member_group', client.token));
    await new Promise(resolve => stalled.once('data', resolve));
    stalled.pause();
    const cut = new Promise(resolve => stalled.once('close', resolve));
    stalled.on('error', () => undefined);
    const stream = await EventStreamClient.open(bridge, '?object.type=tag', client.token);
    // Every event carries the expanded group, so that a few hundred fill the buffers of the socket.
    const permissions = Array.from({ length: 1000 }, () => ({
      access_methods: { pin: true, card: true, online: false },
    }));
    const { id } = await client.callOk('POST', '/member_groups', { name: 'Guests', permissions });
    for (let count = 0; timers.next === null; count++) {
      await client.callOk('PATCH', `/member_groups/${id}`, { name: `Guests ${count}` });
    }
    while (bridge.app.websocketServer.clients.size > 1) await timers.fire();
    stalled.resume();
    await cut;
    await client.callOk('POST', '/tags', { name: 'still there' });
    await stream.waitUntil(() => stream.events.length === 1);
    await stream.close();
  });
});

describe('event stream with two bridges on one database', () => {
  it('sends every event of both once and in log order, also across a restart', async () => {
    const database = await newTestDatabase();
    const first = await TestBridge.open({ database });
    const second = await TestBridge.open({ database, dataDir: first.dataDir });
    const client = await first.newOrganization();
    const twin = await second.client(client.organizationId, client.applicationId, 'full_read_write');
    await second.bridge.listen('127.0.0.1', 0);
    let stream = await EventStreamClient.open(second.bridge, '', twin.token);
    const write = (rounds: number) =>
      Promise.all(
        [client, twin].map(async one => {
          for (let count = 0; count < rounds; count++) await newMember(one);
        }),
      );
    const rounds = iterations({ sample: 20, all: 50 });
    await write(rounds);
    await stream.waitUntil(() => stream.events.length === 2 * rounds);
    const seen = stream.events.map(({ id }) => id);
    await second.bridge.close();
    for (let count = 0; count < 10; count++) await newMember(client);
    const third = await TestBridge.open({ database, dataDir: first.dataDir });
    await third.bridge.listen('127.0.0.1', 0);
    stream = await EventStreamClient.open(third.bridge, `?since=${seen.at(-1)}`, client.token);
    for (let count = 0; count < 10; count++) await newMember(client);
    await stream.waitUntil(() => stream.events.length === 20);
    seen.push(...stream.events.map(({ id }) => id));
    const log = await first.bridge.services.storage.reader
      .selectFrom('events')
      .select('id')
      .where('organization_id', '=', client.organizationId)
      .orderBy('recorded_at')
      .execute();
    expect(seen).toEqual(log.map(({ id }) => id));
    await stream.close();
    await third.bridge.close();
    await first.close();
  });
});
