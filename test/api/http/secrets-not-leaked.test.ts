import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

/** Creates and reads secrets of every kind, and sends wrong ones. Returns all of them. */
const exerciseSecrets = async (bridge: TestBridge): Promise<string[]> => {
  const client = await bridge.newOrganization();
  const secrets = [client.token];
  const post = async (path: string, body: object, key: string): Promise<Record<string, string>> => {
    const answer = await bridge.app.inject({
      method: 'POST',
      url: `/v2${path}`,
      headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': key },
      payload: body,
    });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.payload}`);
    return answer.json<Record<string, string>>();
  };
  const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
  const chosen = '90817263544536271809';
  await post(`/members/${id}/pins`, { pin: chosen }, 'a');
  const generated = await post(`/members/${id}/pins`, { length: 20 }, 'b');
  const link = await post(`/members/${id}/magic_links`, {}, 'c');
  const token = await post(`/members/${id}/tokens`, {}, 'd');
  const webhook = await post('/webhooks', { url: 'http://hook.invalid/x', filter: [{ object_type: 'member' }] }, 'e');
  await client.callOk('POST', `/members/${id}/pins/${generated['id']}/reveal`, {});
  await client.callOk('POST', `/members/${id}/magic_links/${link['id']}/reveal`, {});
  const taken = await client.call('POST', `/members/${id}/pins`, { pin: chosen });
  expect(taken.status).toBe(400);
  secrets.push(chosen, generated['pin']!, token['token']!, webhook['secret']!);
  secrets.push(link['link']!.split(/[/#?=]/).at(-1)!);
  const refused = ['lat_wrong-but-still-a-secret', 'wrong_link_that_somebody_typed', '13579246801357924680'];
  await bridge.app.inject({ url: '/v2/members', headers: { authorization: `Bearer ${refused[0]}` } });
  await client.get(`/members?email=${refused[1]}`);
  await client.call('POST', `/members/${id}/pins`, { pin: refused[2], pni: refused[2] });
  expect(secrets.every(secret => secret.length >= 20)).toBe(true);
  return [...secrets, ...refused];
};

describe('secrets', () => {
  const log: string[] = [];
  let bridge: TestBridge;
  let secrets: string[];
  beforeAll(async () => {
    const destination = new Writable({
      write: (chunk, _, done) => {
        log.push(String(chunk));
        done();
      },
    });
    bridge = await TestBridge.open({ logger: pino({ level: 'trace' }, destination) });
    secrets = await exerciseSecrets(bridge);
  });
  afterAll(() => bridge.close());

  it('do not appear in the log at any level', () => {
    const text = log.join('');
    expect(log.length).toBeGreaterThan(10);
    expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  });

  it('do not appear in the database or its write-ahead log', () => {
    const files = readdirSync(bridge.dataDir).filter(name => name.startsWith('bridge.sqlite'));
    expect(files).toContain('bridge.sqlite-wal');
    const bytes = Buffer.concat(files.map(name => readFileSync(join(bridge.dataDir, name))));
    expect(bytes.includes('hook.invalid')).toBe(true);
    expect(secrets.filter(secret => bytes.includes(secret))).toEqual([]);
  });

  it('do not appear in events', async () => {
    const rows = JSON.stringify(await bridge.services.storage.reader.selectFrom('events').selectAll().execute());
    expect(rows).toContain('member_pin');
    expect(secrets.filter(secret => rows.includes(secret))).toEqual([]);
  });
});
