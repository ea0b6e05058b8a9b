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

const messagesOf = async (transfer: SnapshotTransfer, first = 0) =>
  (await transfer.readyChunks(first, 1000)).map(({ body, encoding }) => {
    const decoded = decodeMqttMessage('snapshot', encoding === 'gzip' ? gunzipSync(body) : body);
    return decoded.ok ? decoded.value : expect.fail(decoded.problems[0]!.path);
  });

describe('SnapshotTransfer', () => {
  it('sends a small change as one plain chunk', async () => {
    const transfer = new SnapshotTransfer({ from: 3, to: 5, digestKeyId: 'k"1' }, scope);
    await transfer.put(entry(1, 10));
    await transfer.drop({ type: 'member', id: 'mem_1' });
    await transfer.finish(digest);
    expect(await transfer.readyChunks(0, 8)).toMatchObject([{ encoding: 'identity' }]);
    expect(await messagesOf(transfer)).toMatchObject([
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
    const messages = await messagesOf(transfer);
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
    expect(await messagesOf(transfer)).toMatchObject([{ put: [], drop: [], chunks: 1 }]);
  });

  it('gives chunks without the chunk count and the digest while others are built, but not the last one', async () => {
    const transfer = new SnapshotTransfer({ from: null, to: 5, digestKeyId: 'k1' }, scope, 100);
    const first = messagesOf(transfer);
    for (let id = 0; id < 3; id++) await transfer.put(entry(id, 100));
    expect(await first).toMatchObject([{ chunk: 0, chunks: null, digest: null, put: [{ id: 'lift_0' }] }]);
    const rest = messagesOf(transfer, 2);
    await transfer.finish(digest);
    expect(await rest).toMatchObject([{ chunk: 2, chunks: 3, digest, put: [{ id: 'lift_2' }] }]);
    expect(await messagesOf(transfer, 3)).toEqual([]);
  });

  it('rejects for the sender that waits for a chunk if the build fails', async () => {
    const transfer = new SnapshotTransfer({ from: null, to: 5, digestKeyId: 'k1' }, scope, 100);
    const waiting = [transfer.whenFinished(), transfer.readyChunks(0, 8)];
    transfer.fail(new Error('disk'));
    for (const promise of waiting) await expect(promise).rejects.toThrow('disk');
    await expect(transfer.readyChunks(0, 8)).rejects.toThrow('disk');
  });
});
