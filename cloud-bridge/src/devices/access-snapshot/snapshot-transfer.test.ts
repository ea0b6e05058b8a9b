import { gunzipSync } from 'node:zlib';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { describe, expect, it } from 'vitest';
import { SnapshotTransfer } from './snapshot-transfer.ts';

const scope = { groups: new Set<string>(), structure: new Map<string, string>() };
const digest = 'a'.repeat(64);
const entry = (id: number, size: number) => {
  const text = JSON.stringify({ fill: 'x'.repeat(size), id: `lift_${id}`, type: 'lift' });
  return { type: 'lift', id: `lift_${id}`, text };
};

const messagesOf = (transfer: SnapshotTransfer) =>
  Array.from({ length: transfer.chunks }, (_, number) => {
    const { body, encoding } = transfer.chunk(number);
    const decoded = decodeMqttMessage('slice', encoding === 'gzip' ? gunzipSync(body) : body);
    return decoded.ok ? decoded.value : expect.fail(decoded.problems[0]!.path);
  });

describe('SnapshotTransfer', () => {
  it('sends a small change as one plain chunk', async () => {
    const transfer = new SnapshotTransfer({ from: 3, to: 5, digestKeyId: 'k"1' }, scope);
    await transfer.put(entry(1, 10));
    await transfer.drop({ type: 'member', id: 'mem_1' });
    await transfer.finish(digest);
    expect(transfer.chunk(0).encoding).toBe('identity');
    expect(messagesOf(transfer)).toMatchObject([
      {
        from: 3,
        to: 5,
        digest_key_id: 'k"1',
        chunk: 0,
        chunks: 1,
        put: [{ id: 'lift_1' }],
        drop: [{ id: 'mem_1' }],
        digest,
      },
    ]);
  });

  it('splits a large change into chunks, each with the chunk count and the digest', async () => {
    const transfer = new SnapshotTransfer({ from: null, to: 5, digestKeyId: 'k1' }, scope);
    for (let id = 0; id < 1000; id++) await transfer.put(entry(id, 1000));
    await transfer.finish(digest);
    const messages = messagesOf(transfer);
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.map(({ chunk, chunks }) => [chunk, chunks])).toEqual(
      messages.map((_, index) => [index, messages.length]),
    );
    expect(messages.every(message => message.digest === digest && message.from === null)).toBe(true);
    expect(messages.flatMap(({ put }) => put.map(({ id }) => id))).toEqual(
      Array.from({ length: 1000 }, (_, id) => `lift_${id}`),
    );
    expect(transfer.bytes).toBeLessThan(100_000);
  });

  it('sends an empty change as one chunk', async () => {
    const transfer = await new SnapshotTransfer({ from: 1, to: 2, digestKeyId: 'k1' }, scope).finish(digest);
    expect(messagesOf(transfer)).toMatchObject([{ put: [], drop: [], chunks: 1 }]);
  });
});
