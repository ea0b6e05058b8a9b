import { gzipSync } from 'node:zlib';
import { encodePublishHeader, encodePublishPacket } from '@lintel/broker/publish-and-puback-packets';
import { encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { describe, expect, it } from 'vitest';
import { createEventIdWatcher } from './event-id-watcher.ts';

const device = 'dev_01jx5m8z6q0000000000000001' as Parameters<typeof buildUplinkTopic>[0];
const ids = ['evt_01jx5m8z6q0000000000000001', 'evt_01jx5m8z6q0000000000000002'];

const body = Buffer.from(
  JSON.stringify({
    v: 1,
    events: ids.map((id, index) => ({
      id,
      sequence: index + 1,
      kind: 'use',
      occurred_at: 1_780_000_000_000,
      time_trusted: true,
    })),
  }),
);

const packetOf = (kind: 'events' | 'status', encoding: 'identity' | 'gzip' = 'identity'): Buffer => {
  const payload = encodeSignedFrame(
    { v: 1, kind, signer: device, audience: 'org_1', serial: '1', counter: 1, encoding },
    encoding === 'gzip' ? gzipSync(body) : body,
    () => new Uint8Array(64),
  );
  return encodePublishPacket(encodePublishHeader(buildUplinkTopic(device, kind), payload.length, 1), 7, payload);
};

const read = (...chunks: readonly Buffer[]): string[] => {
  const seen: string[] = [];
  const watch = createEventIdWatcher(found => seen.push(...found));
  for (const chunk of chunks) watch(chunk);
  return seen;
};

describe('createEventIdWatcher', () => {
  it.each(['identity', 'gzip'] as const)('returns the event ids of a batch, %s', encoding => {
    expect(read(packetOf('events', encoding))).toEqual(ids);
  });

  it('works however the bytes are split', () => {
    const bytes = Buffer.concat([packetOf('status'), packetOf('events')]);
    expect(read(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(ids);
  });

  it('ignores other messages, and data that is not MQTT', () => {
    expect(read(packetOf('status'))).toEqual([]);
    expect(read(Buffer.alloc(64, 0xff), packetOf('events'))).toEqual([]);
  });
});
