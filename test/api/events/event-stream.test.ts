import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld, type OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { StreamClient } from '../../support/bridge/stream-client.ts';

const newMember = async (client: OrganizationClient): Promise<string> => (await client.done('POST', '/members', {})).id;

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

/** All that a plain socket hears until the bridge hangs up. */
const upgradeAnswer = async (port: number, token: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(upgradeRequest('', token));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
};

onBothEngines(
  'the event stream',
  world => {
    beforeAll(() => world().bridge.listen('127.0.0.1', 0));
    const follow = (client: OrganizationClient, query = '') => StreamClient.open(world().bridge, query, client.token);

    it('tells what happens from now on, in order, as the API shows it', async () => {
      const client = await world().newOrganization();
      await newMember(client);
      const stream = await follow(client);
      const ids = [await newMember(client), await newMember(client)];
      expect(await stream.members(2)).toEqual(ids);
      expect(stream.events[0]).toEqual(await client.done('GET', `/events/${stream.events[0]?.id}`));
      expect(stream.messages[0]).toEqual({ type: 'heartbeat' });
      await stream.close();
    });

    it('tells nothing of another organization', async () => {
      const [client, other] = [await world().newOrganization(), await world().newOrganization()];
      const stream = await follow(client);
      await newMember(other);
      const id = await newMember(client);
      expect(await stream.members(1)).toEqual([id]);
      await stream.close();
    });

    it('takes the filters and the expands of the list', async () => {
      const client = await world().newOrganization();
      const stream = await follow(client, '?object.type=member&verb=delete&expand=object_member');
      const id = await newMember(client);
      await client.done('POST', '/tags', { name: 'x' });
      await client.done('DELETE', `/members/${id}`);
      expect(await stream.members(1)).toEqual([id]);
      expect(stream.events[0]).toMatchObject({ verb: 'delete', object_member: { id, is_deleted: true } });
      await stream.close();
    });

    it('goes on after an event that the client names, without a gap and without a duplicate', async () => {
      const client = await world().newOrganization();
      const ids: string[] = [];
      for (let count = 0; count < 20; count++) ids.push(await newMember(client));
      const [seventh] = (await client.done('GET', `/events?object.member_id=${ids[6]}`)).data;
      const stream = await follow(client, `?since=${seventh?.id}`);
      for (let count = 0; count < 20; count++) ids.push(await newMember(client));
      expect(await stream.members(33)).toEqual(ids.slice(7));
      await stream.close();
    });

    it('takes the token in the first message, and what happened since the socket was opened', async () => {
      const client = await world().newOrganization();
      world().passSeconds(1);
      for (const message of [{ access_token: client.token }, { token: client.token }, `Bearer ${client.token}`]) {
        world().passSeconds(1);
        const stream = await StreamClient.open(world().bridge, '', null);
        const id = await newMember(client);
        stream.send(typeof message === 'string' ? message : JSON.stringify(message));
        expect(await stream.members(1)).toEqual([id]);
        await stream.close();
      }
    });

    it.each(['{"access_token":"lat_wrong"}', '{}', 'null', '[1]', '', 'Bearer'])(
      'refuses the first message %s',
      async message => {
        const stream = await StreamClient.open(world().bridge, '', null);
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
    ])('refuses %s', async (query, field) => {
      const client = await world().newOrganization();
      const stream = await StreamClient.open(world().bridge, query, null);
      stream.send(JSON.stringify({ access_token: client.token }));
      expect((await stream.closed).code).toBe(4400);
      expect(stream.messages).toMatchObject([{ type: 'error', error: { args: { field } } }]);
      await expect(follow(client, query)).rejects.toThrow('refused');
    });

    it('refuses a wrong token before the upgrade, and says to plain HTTP what it is', async () => {
      await expect(StreamClient.open(world().bridge, '', 'lat_wrong')).rejects.toThrow('refused');
      const { port } = world().bridge.app.server.address() as { port: number };
      expect(await upgradeAnswer(port, 'lat_wrong')).toMatch(/^HTTP\/1\.1 401 [^]*"type":"unauthorized"/);
      const client = await world().newOrganization();
      expect(await client.get('/events/stream')).toMatchObject({ status: 400, body: { type: 'invalid_request' } });
      const { statusCode } = await world().bridge.app.inject({ url: '/v2/events/stream' });
      expect(statusCode).toBe(401);
    });

    it('ends when the token does', async () => {
      const client = await world().newOrganization();
      const stream = await follow(client);
      world().passSeconds(3601);
      expect((await stream.closed).code).toBe(4401);
    });

    it('beats', async () => {
      const client = await world().newOrganization();
      const stream = await follow(client);
      await stream.until(() => stream.messages.filter(({ type }) => type === 'heartbeat').length >= 4);
      await stream.close();
    });

    it('cuts off a client that does not read, and serves the others', async () => {
      const client = await world().newOrganization();
      const { port } = world().bridge.app.server.address() as { port: number };
      const deaf = connect(port, '127.0.0.1');
      deaf.write(upgradeRequest('?expand=object_member', client.token));
      await new Promise(resolve => deaf.once('data', resolve));
      deaf.pause();
      const cut = new Promise(resolve => deaf.once('close', resolve));
      deaf.on('error', () => undefined);
      const stream = await follow(client, '?object.type=tag');
      const name = 'x'.repeat(200);
      const long = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`key${index}`, name]));
      for (let round = 0; round < 80; round++) {
        await Promise.all(Array.from({ length: 100 }, () => client.done('POST', '/members', { name, metadata: long })));
        if (world().bridge.app.websocketServer.clients.size === 1) break;
      }
      expect(world().bridge.app.websocketServer.clients.size).toBe(1);
      deaf.resume();
      await cut;
      await client.done('POST', '/tags', { name: 'still there' });
      await stream.until(() => stream.events.length === 1);
      await stream.close();
    });
  },
  { streamTickMs: 50 },
);

describe('the event stream of two bridges on one database', () => {
  it('has every event of both once and in the log’s order, also across a restart', async () => {
    const database = await newTestDatabase();
    const first = await BridgeWorld.open({ database });
    const second = await BridgeWorld.open({ database, dataDir: first.dataDir });
    const client = await first.newOrganization();
    const twin = await second.client(client.organizationId, client.applicationId, 'full_read_write');
    await second.bridge.listen('127.0.0.1', 0);
    let stream = await StreamClient.open(second.bridge, '', twin.token);
    const write = (rounds: number) =>
      Promise.all(
        [client, twin].map(async one => {
          for (let count = 0; count < rounds; count++) await newMember(one);
        }),
      );
    await write(50);
    await stream.until(() => stream.events.length === 100);
    const seen = stream.events.map(({ id }) => id);
    await second.bridge.close();
    for (let count = 0; count < 10; count++) await newMember(client);
    const third = await BridgeWorld.open({ database, dataDir: first.dataDir });
    await third.bridge.listen('127.0.0.1', 0);
    stream = await StreamClient.open(third.bridge, `?since=${seen.at(-1)}`, client.token);
    for (let count = 0; count < 10; count++) await newMember(client);
    await stream.until(() => stream.events.length === 20);
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
