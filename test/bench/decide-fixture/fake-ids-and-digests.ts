import { type Id, type IdKind, idPrefixes } from '@lintel/access-core/ids';
import type { SeededRandom } from '../../support/seeded-random.ts';

/* Fast generators for millions of ids and digests. They return flat strings, as a JSON parser does. */

const digits = Array.from('0123456789abcdefghjkmnpqrstvwxyz', digit => digit.charCodeAt(0));

const codes: number[] = [];

/** A random id in the format of a ULID from early 2026. */
export const makeId = <K extends IdKind>(kind: K, random: SeededRandom): Id<K> => {
  const start = `${idPrefixes[kind]}01`;
  codes.length = start.length + 24;
  for (let at = 0; at < start.length; at++) codes[at] = start.charCodeAt(at);
  for (let at = start.length; at < codes.length; at += 6) {
    const bits = random.below(2 ** 30);
    for (let digit = 0; digit < 6; digit++) codes[at + digit] = digits[(bits >>> (5 * digit)) & 31]!;
  }
  return Reflect.apply(String.fromCharCode, undefined, codes) as Id<K>;
};

const words = new Uint32Array(8);
const bytes = Buffer.from(words.buffer);

/** 64 hex digits derived from two numbers, distributed like a real digest. */
export const fakeDigest = (a: number, b: number): string => {
  let state = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ b;
  for (let index = 0; index < words.length; index++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + index + b;
    words[index] = state ^ (state >>> 13);
  }
  return bytes.toString('hex');
};
