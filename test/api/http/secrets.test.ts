import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';

/** Everything that is secret in a day of work: what was sent, what was answered, and what was typed wrongly. */
const doADaysWork = async (world: BridgeWorld): Promise<string[]> => {
  const client = await world.newOrganization();
  const secrets = [client.token];
  const post = async (path: string, body: object, key: string): Promise<Record<string, string>> => {
    const answer = await world.bridge.app.inject({
      method: 'POST',
      url: `/v2${path}`,
      headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': key },
      payload: body,
    });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.payload}`);
    return answer.json<Record<string, string>>();
  };
  const { id } = await client.done('POST', '/members', { name: 'Ann' });
  const chosen = '90817263544536271809';
  await post(`/members/${id}/pins`, { pin: chosen }, 'a');
  const generated = await post(`/members/${id}/pins`, { length: 20 }, 'b');
  const link = await post(`/members/${id}/magic_links`, {}, 'c');
  const token = await post(`/members/${id}/tokens`, {}, 'd');
  const webhook = await post('/webhooks', { url: 'http://hook.invalid/x', filter: [{ object_type: 'member' }] }, 'e');
  await client.done('POST', `/members/${id}/pins/${generated['id']}/reveal`, {});
  await client.done('POST', `/members/${id}/magic_links/${link['id']}/reveal`, {});
  const taken = await client.call('POST', `/members/${id}/pins`, { pin: chosen });
  expect(taken.status).toBe(400);
  secrets.push(chosen, generated['pin']!, token['token']!, webhook['secret']!);
  secrets.push(link['link']!.split(/[/#?=]/).at(-1)!);
  const refused = ['lat_wrong-but-still-a-secret', 'wrong_link_that_somebody_typed', '13579246801357924680'];
  await world.bridge.app.inject({ url: '/v2/members', headers: { authorization: `Bearer ${refused[0]}` } });
  await client.get(`/members?email=${refused[1]}`);
  await client.call('POST', `/members/${id}/pins`, { pin: refused[2], pni: refused[2] });
  expect(secrets.every(secret => secret.length >= 20)).toBe(true);
  return [...secrets, ...refused];
};

describe('secrets', () => {
  const log: string[] = [];
  let world: BridgeWorld;
  let secrets: string[];
  beforeAll(async () => {
    const destination = new Writable({
      write: (chunk, _, done) => {
        log.push(String(chunk));
        done();
      },
    });
    world = await BridgeWorld.open({ logger: pino({ level: 'trace' }, destination) });
    secrets = await doADaysWork(world);
  });
  afterAll(() => world.close());

  it('are in no line of the log, at any level', () => {
    const text = log.join('');
    expect(log.length).toBeGreaterThan(10);
    expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  });

  it('are in no byte of the database and its write-ahead log', () => {
    const files = readdirSync(world.dataDir).filter(name => name.startsWith('bridge.sqlite'));
    expect(files).toContain('bridge.sqlite-wal');
    const bytes = Buffer.concat(files.map(name => readFileSync(join(world.dataDir, name))));
    expect(bytes.includes('hook.invalid')).toBe(true);
    expect(secrets.filter(secret => bytes.includes(secret))).toEqual([]);
  });

  it('are in no event', async () => {
    const rows = JSON.stringify(await world.bridge.services.storage.reader.selectFrom('events').selectAll().execute());
    expect(rows).toContain('member_pin');
    expect(secrets.filter(secret => rows.includes(secret))).toEqual([]);
  });
});
