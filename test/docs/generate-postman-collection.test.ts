import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { postmanCollection } from './generate-postman-collection.ts';

/* The keys of the collection format v2.1 that the file uses. */
const keyValue = z.strictObject({ key: z.string().min(1), value: z.string(), type: z.string().optional() });
const variable = z.strictObject({ key: z.string(), value: z.string() });
const url = z.strictObject({
  raw: z.string().startsWith('{{baseUrl}}/'),
  host: z.tuple([z.literal('{{baseUrl}}')]),
  path: z.array(z.string()).min(1),
  query: z.array(z.strictObject({ key: z.string(), value: z.string(), disabled: z.boolean() })).optional(),
  variable: z.array(variable).optional(),
});
const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  header: z.array(keyValue),
  url,
  body: z
    .strictObject({
      mode: z.literal('raw'),
      raw: z.string(),
      options: z.strictObject({ raw: z.strictObject({ language: z.literal('json') }) }),
    })
    .optional(),
});
const response = z.strictObject({
  name: z.string(),
  status: z.string(),
  code: z.int(),
  _postman_previewlanguage: z.literal('json'),
  header: z.array(keyValue),
  body: z.string(),
});
const item = z.strictObject({ name: z.string().min(1), request, response: z.array(response) });
const folder = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  item: z.array(item).min(1),
});
const collection = z.strictObject({
  info: z.strictObject({
    name: z.string(),
    description: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
  }),
  auth: z.strictObject({ type: z.literal('oauth2'), oauth2: z.array(keyValue) }),
  variable: z.array(keyValue),
  item: z.array(folder),
});

const text = readFileSync(join(root, 'docs/integrator/postman-collection.json'), 'utf8');
const read = collection.parse(JSON.parse(text));
const items = read.item.flatMap(part => part.item);

describe('docs/integrator/postman-collection.json', () => {
  it('is up to date (npm run docs writes it)', () => {
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(postmanCollection())));
  });

  it('declares every variable that it uses', () => {
    const declared = read.variable.map(({ key }) => key);
    const used = new Set(
      [...JSON.stringify([read.auth, read.item]).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!),
    );
    expect([...used].filter(name => !declared.includes(name))).toEqual([]);
  });

  it('has bodies and examples that are JSON', () => {
    const bodies = items.flatMap(({ request: { body }, response: saved }) => [
      ...(body === undefined ? [] : [body.raw]),
      ...saved.map(({ body: example }) => example),
    ]);
    expect(bodies.length).toBeGreaterThan(50);
    for (const body of bodies) expect(JSON.parse(body)).toEqual(expect.any(Object));
  });
});

describe('GET requests of docs/integrator/postman-collection.json', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-postman-'));
  let bridge: TestBridge;
  let baseUrl: string;
  let token: string;

  beforeAll(async () => {
    const seeded = await runLintel('seed', join(root, 'docs/reference/hotel.json'), '--data', dataDir, '--json');
    const { ids } = JSON.parse(seeded.stdout) as { ids: Record<string, string> };
    const grant = ['--organization', ids['hotel']!, '--scope', 'full_read_only'];
    const minted = await runLintel('token', '--data', dataDir, ...grant, '--json');
    token = (JSON.parse(minted.stdout) as { access_token: string }).access_token;
    bridge = await TestBridge.open({ dataDir });
    bridge.now = Date.now() as never;
    baseUrl = `${await bridge.listen('127.0.0.1', 0)}/v2`;
  });
  afterAll(async () => {
    await bridge.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('get objects of the seeded hotel, or 404 for an id that the hotel does not have', async () => {
    const gets = items
      .filter(({ request: { method } }) => method === 'GET')
      .map(({ request: { url: target } }) => target);
    const ids = new Map<string, string>();
    const statuses = new Map<string, number>();
    for (const { path, raw } of gets) {
      const resolved = path.map(part => (part.startsWith(':') ? (ids.get(part) ?? 'unknown') : part));
      const answer = await fetch([baseUrl, ...resolved].join('/'), { headers: { authorization: `Bearer ${token}` } });
      const { data } = (await answer.json()) as { data?: readonly { readonly id: string }[] };
      statuses.set(raw, resolved.includes('unknown') && answer.status === 404 ? 200 : answer.status);
      const idName = gets.find(other => other.path.length === path.length + 1 && other.raw.startsWith(`${raw}/:`));
      if (data?.[0] !== undefined && idName !== undefined) ids.set(idName.path.at(-1)!, data[0].id);
    }
    expect(statuses.size).toBeGreaterThan(30);
    expect([...statuses].filter(([, status]) => status !== 200)).toEqual([]);
    expect([...ids.keys()]).toEqual(
      expect.arrayContaining([':site_id', ':device_id', ':gadget_id', ':member_id', ':member_group_id', ':event_id']),
    );
  });
});
