import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage, LARGEST_MESSAGE } from './message-codec.ts';
import { type Message, type MessageKind, messages } from './message-table.ts';
import { downKinds, parseTopic, upKinds } from './topics.ts';

interface Golden {
  readonly topic: string;
  readonly message: Record<string, unknown>;
  readonly wire: string;
}

const folder = new URL('../../golden/mqtt/', import.meta.url);
const golden = (kind: string): Golden => JSON.parse(readFileSync(new URL(`${kind}.json`, folder), 'utf8'));
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const text = (encoded: Uint8Array): string => new TextDecoder().decode(encoded);

const kinds = Object.keys(messages) as MessageKind[];

const refusedAt = (kind: MessageKind, value: unknown): string[] => {
  const decoded = decodeMessage(kind, bytes(value));
  return decoded.ok ? [] : decoded.problems.map(({ path, code }) => `${path} ${code}`);
};

test('every kind that a topic can name is a message, and has its golden file', () => {
  expect(new Set<string>([...upKinds, ...downKinds, 'revoke'])).toEqual(new Set(kinds));
  const files = readdirSync(folder).map(file => file.replace('.json', ''));
  expect(files.toSorted()).toEqual([...kinds, 'signed-frame'].toSorted());
});

test.each(kinds)('%s is read from its golden bytes and written as the same bytes', kind => {
  const { topic, message, wire } = golden(kind);
  expect(parseTopic(topic)?.kind).toBe(kind);
  const decoded = decodeMessage(kind, new TextEncoder().encode(wire));
  expect(decoded).toEqual({ ok: true, value: message });
  expect(text(encodeMessage(kind, message as Message<typeof kind>))).toBe(wire);
});

test.each(kinds)('%s is read with fields that a newer version adds', kind => {
  expect(refusedAt(kind, { ...golden(kind).message, added_later: { deep: [1] } })).toEqual([]);
});

test.each(kinds)('%s of another version of the protocol is told apart', kind => {
  expect(refusedAt(kind, { ...golden(kind).message, v: 2 })).toEqual(['v unsupported_version']);
  const { v: _, ...versionless } = golden(kind).message;
  expect(refusedAt(kind, versionless)).toEqual(['v invalid_value']);
});

test.each(kinds)('%s with any of its fields broken comes back as a problem of that field', kind => {
  const { message } = golden(kind);
  for (const field of Object.keys(message).filter(name => name !== 'v')) {
    const problems = refusedAt(kind, { ...message, [field]: [false] });
    expect([field, problems.length > 0 && problems.every(problem => problem.startsWith(field))]).toEqual([field, true]);
  }
});

test.each(['', '{', 'null', '[]', '7', '"x"', '{"v":1', '\u{feff}x'])('%j is no message', wire => {
  for (const kind of kinds) expect(decodeMessage(kind, new TextEncoder().encode(wire)).ok).toBe(false);
});

test('bytes that are not UTF-8 are a problem', () => {
  expect(decodeMessage('hello', Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({
    problems: [{ code: 'invalid_json' }],
  });
});

test('a message that is too large is not even parsed', () => {
  expect(decodeMessage('hello', new Uint8Array(LARGEST_MESSAGE + 1))).toMatchObject({
    problems: [{ code: 'too_large' }],
  });
});

test('what no receiver would take is not even sent', () => {
  const faults = Array.from({ length: 10_000 }, () => ({ code: 'x', since: 0, message: 'y'.repeat(500) }));
  const message = { ...golden('status').message, faults } as unknown as Message<'status'>;
  expect(() => encodeMessage('status', message)).toThrow(RangeError);
});

test('a digest is hex, wherever it stands', () => {
  const digest = 'not a digest';
  for (const kind of ['slice', 'serving'] as const) {
    expect(refusedAt(kind, { ...golden(kind).message, digest })).toEqual(['digest invalid_format']);
  }
  expect(refusedAt('hello', { ...golden('hello').message, slice: { revision: 1, digest } })).toHaveLength(1);
  expect(refusedAt('sync-request', { ...golden('sync-request').message, have: { revision: 1, digest } })).toHaveLength(
    1,
  );
});

test('a value that a newer version adds to an enumeration is read', () => {
  const { message } = golden('hello');
  expect(refusedAt('hello', { ...message, clock: { time: 0, trusted: true, source: 'gps' } })).toEqual([]);
  expect(refusedAt('action-result', { ...golden('action-result').message, outcome: 'postponed' })).toEqual([]);
});

test('input rules are judged as rules, but a newer field does not spoil them', () => {
  const { message } = golden('rules-changed');
  const rule = { code: '1', gadget_id: 'gad_1', action_id: 'open' };
  expect(refusedAt('rules-changed', { ...message, input_rules: [{ ...rule, added_later: 1 }] })).toEqual([]);
  expect(refusedAt('rules-changed', { ...message, input_rules: [rule, { ...rule, code: '12' }] })).toHaveLength(1);
});

test('a slice may hold entries of a type that is not known here, but none of a known type that is malformed', () => {
  const { message } = golden('slice');
  const put = [{ type: 'lift', id: 'lft_1', floors: 7 }];
  expect(decodeMessage('slice', bytes({ ...message, put }))).toMatchObject({ ok: true, value: { put } });
  expect(refusedAt('slice', { ...message, put: [{ type: 'member', id: 'mem_1' }] }).length).toBeGreaterThan(0);
});

test('whatever bytes arrive, nothing throws', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), (kind, arrived) => {
      expect(() => decodeMessage(kind, arrived)).not.toThrow();
    }),
  );
});

test('whatever value stands in place of a part of a message, nothing throws', () => {
  const replaced = fc
    .constantFrom(...kinds)
    .chain(kind =>
      fc.tuple(fc.constant(kind), fc.constantFrom(...Object.keys(golden(kind).message)), fc.jsonValue({ maxDepth: 4 })),
    );
  fc.assert(
    fc.property(replaced, ([kind, field, value]) => {
      const decoded = decodeMessage(kind, bytes({ ...golden(kind).message, [field]: value }));
      expect(decoded.ok || decoded.problems.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});
