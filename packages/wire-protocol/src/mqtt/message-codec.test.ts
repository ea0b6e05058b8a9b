import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMqttMessage, encodeMqttMessage, MAX_MQTT_MESSAGE_BYTES } from './message-codec.ts';
import { type MqttMessageContent, type MqttMessageKind, mqttMessageDefinitions } from './message-definitions.ts';
import { downlinkMessageKinds, parseMqttTopic, uplinkMessageKinds } from './topics.ts';

interface Golden {
  readonly topic: string;
  readonly message: Record<string, unknown>;
  readonly wire: string;
}

const folder = new URL('../../golden/mqtt/', import.meta.url);
const golden = (kind: string): Golden => JSON.parse(readFileSync(new URL(`${kind}.json`, folder), 'utf8'));
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const text = (encoded: Uint8Array): string => new TextDecoder().decode(encoded);

const kinds = Object.keys(mqttMessageDefinitions) as MqttMessageKind[];

const refusedAt = (kind: MqttMessageKind, value: unknown): string[] => {
  const decoded = decodeMqttMessage(kind, bytes(value));
  return decoded.ok ? [] : decoded.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('message codec', () => {
  it('has a message and a golden file for every kind that a topic can name', () => {
    expect(new Set<string>([...uplinkMessageKinds, ...downlinkMessageKinds, 'revoke'])).toEqual(new Set(kinds));
    const files = readdirSync(folder).map(file => file.replace('.json', ''));
    expect(files.toSorted()).toEqual([...kinds, 'signed-frame'].toSorted());
  });

  it.each(kinds)('round-trips the golden bytes of %s', kind => {
    const { topic, message, wire } = golden(kind);
    expect(parseMqttTopic(topic)?.kind).toBe(kind);
    const decoded = decodeMqttMessage(kind, new TextEncoder().encode(wire));
    expect(decoded).toEqual({ ok: true, value: message });
    expect(text(encodeMqttMessage(kind, message as MqttMessageContent<typeof kind>))).toBe(wire);
  });

  it.each(kinds)('reads %s with fields of a newer version', kind => {
    expect(refusedAt(kind, { ...golden(kind).message, added_later: { deep: [1] } })).toEqual([]);
  });

  it.each(kinds)('rejects %s of another protocol version', kind => {
    expect(refusedAt(kind, { ...golden(kind).message, v: 2 })).toEqual(['v unsupported_version']);
    const { v: _, ...versionless } = golden(kind).message;
    expect(refusedAt(kind, versionless)).toEqual(['v invalid_value']);
  });

  it.each(kinds)('names the field of %s that is invalid', kind => {
    const { message } = golden(kind);
    for (const field of Object.keys(message).filter(name => name !== 'v')) {
      const problems = refusedAt(kind, { ...message, [field]: [false] });
      expect([field, problems.length > 0 && problems.every(problem => problem.startsWith(field))]).toEqual([
        field,
        true,
      ]);
    }
  });

  it.each(['', '{', 'null', '[]', '7', '"x"', '{"v":1', '\u{feff}x'])('rejects %j', wire => {
    for (const kind of kinds) expect(decodeMqttMessage(kind, new TextEncoder().encode(wire)).ok).toBe(false);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(decodeMqttMessage('hello', Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({
      problems: [{ code: 'invalid_json' }],
    });
  });

  it('does not parse a message that is too large', () => {
    expect(decodeMqttMessage('hello', new Uint8Array(MAX_MQTT_MESSAGE_BYTES + 1))).toMatchObject({
      problems: [{ code: 'too_large' }],
    });
  });

  it('does not encode what no receiver would accept', () => {
    const faults = Array.from({ length: 10_000 }, () => ({ code: 'x', since: 0, message: 'y'.repeat(500) }));
    const message = { ...golden('status').message, faults } as unknown as MqttMessageContent<'status'>;
    expect(() => encodeMqttMessage('status', message)).toThrow(RangeError);
  });

  it('accepts digests as hexadecimal text only', () => {
    const digest = 'not a digest';
    for (const kind of ['snapshot', 'active-revision'] as const) {
      expect(refusedAt(kind, { ...golden(kind).message, digest })).toEqual(['digest invalid_format']);
    }
    expect(refusedAt('hello', { ...golden('hello').message, snapshot: { revision: 1, digest } })).toHaveLength(1);
    expect(
      refusedAt('sync-request', { ...golden('sync-request').message, have: { revision: 1, digest } }),
    ).toHaveLength(1);
  });

  it('reads enumeration values of a newer version', () => {
    const { message } = golden('hello');
    expect(refusedAt('hello', { ...message, clock: { time: 0, trusted: true, source: 'gps' } })).toEqual([]);
    expect(refusedAt('action-result', { ...golden('action-result').message, outcome: 'postponed' })).toEqual([]);
  });

  it('validates input rules and ignores newer fields in them', () => {
    const { message } = golden('rules-changed');
    const rule = { code: '1', gadget_id: 'gad_1', action_id: 'open' };
    expect(refusedAt('rules-changed', { ...message, input_rules: [{ ...rule, added_later: 1 }] })).toEqual([]);
    expect(refusedAt('rules-changed', { ...message, input_rules: [rule, { ...rule, code: '12' }] })).toHaveLength(1);
  });

  it('accepts snapshot entries of an unknown type, but no malformed ones of a known type', () => {
    const { message } = golden('snapshot');
    const put = [{ type: 'lift', id: 'lft_1', floors: 7 }];
    expect(decodeMqttMessage('snapshot', bytes({ ...message, put }))).toMatchObject({ ok: true, value: { put } });
    expect(refusedAt('snapshot', { ...message, put: [{ type: 'member', id: 'mem_1' }] }).length).toBeGreaterThan(0);
  });

  it('does not throw on any bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), (kind, arrived) => {
        expect(() => decodeMqttMessage(kind, arrived)).not.toThrow();
      }),
    );
  });

  it('does not throw on any value in place of a part', () => {
    const replaced = fc
      .constantFrom(...kinds)
      .chain(kind =>
        fc.tuple(
          fc.constant(kind),
          fc.constantFrom(...Object.keys(golden(kind).message)),
          fc.jsonValue({ maxDepth: 4 }),
        ),
      );
    fc.assert(
      fc.property(replaced, ([kind, field, value]) => {
        const decoded = decodeMqttMessage(kind, bytes({ ...golden(kind).message, [field]: value }));
        expect(decoded.ok || decoded.problems.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
