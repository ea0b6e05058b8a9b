import { hash } from 'node:crypto';
import { CHUNKS_AT_ONCE, type Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { entryHash, SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';

/** The gateway's own slice: its site, and who may come in. */
export interface HeldSlice {
  readonly revision: number;
  readonly digest: string;
  readonly entries: readonly SliceEntry[];
}

/** Chunks of a change that has come in part. */
export type Staged = readonly Slice[];

export type Taken =
  /** There is more to come; `ask` when nothing comes unless it is asked for. */
  | { readonly staged: Staged; readonly ask: boolean }
  | { readonly slice: HeldSlice }
  /** It does not fit: what is held has to be said, and then the right change comes. */
  | { readonly misfit: string };

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const keyOf = ({ type, id }: { readonly type: string; readonly id: string }): string => `${type} ${id}`;

const applied = (held: HeldSlice | null, chunks: readonly Slice[]): Taken => {
  const { from, to, digest } = chunks[0]!;
  const entries = new Map(from === null ? [] : held?.entries.map(entry => [keyOf(entry), entry]));
  for (const { put, drop } of chunks) {
    for (const entry of put) entries.set(keyOf(entry), entry);
    for (const key of drop) entries.delete(keyOf(key));
  }
  const sum = new SliceDigest();
  for (const entry of entries.values()) sum.add(entryHash(entry, sha256));
  if (sum.toString() !== digest) return { misfit: 'its digest is another' };
  return { slice: { revision: to, digest, entries: [...entries.values()] } };
};

/** One more chunk, on top of what is held and what has come before it. */
export const takeChunk = (held: HeldSlice | null, staged: Staged, chunk: Slice): Taken => {
  const before = chunk.chunk === 0 ? [] : staged;
  const isNext = chunk.chunk === before.length && (before[0] === undefined || before[0].to === chunk.to);
  if (!isNext) return { misfit: 'a chunk is missing before it' };
  if (chunk.from !== null && chunk.from !== held?.revision) return { misfit: 'it is on top of another revision' };
  const all = [...before, chunk];
  if (all.length < chunk.chunks) return { staged: all, ask: all.length % CHUNKS_AT_ONCE === 0 };
  return applied(held, all);
};
