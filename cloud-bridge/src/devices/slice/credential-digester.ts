import { hash } from 'node:crypto';
import { credentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest';

/** Digests under one device's key. */
export type Digester = (kind: 'pin' | 'card', value: string) => string;

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;
const LONGEST_VALUE = 256;
const INNER = 0x36;
const OUTER = 0x5c;

const padded = (key: Uint8Array, pad: number): Buffer => {
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
  return block;
};

/** The block under the key, and after it what comes before every value of the kind; its last bytes are the value's length. */
const headOf = (inner: Buffer, kind: 'pin' | 'card') => {
  const head = Buffer.concat([inner, credentialDigestInput(kind, '')]);
  return { bytes: Buffer.concat([head, Buffer.alloc(LONGEST_VALUE)]), length: head.length };
};

/**
 * HMAC-SHA-256, written out: a slice takes half a million of them, and the library's own object for each costs ten times
 * as much as the two hashes that it is made of. Keys are no longer than a block.
 */
export const digesterOf = (key: Uint8Array): Digester => {
  if (key.length > BLOCK_BYTES) throw new RangeError('the key is longer than a block');
  const inner = padded(key, INNER);
  const heads = { pin: headOf(inner, 'pin'), card: headOf(inner, 'card') };
  const outer = Buffer.concat([padded(key, OUTER), Buffer.alloc(HASH_BYTES)]);
  return (kind, value) => {
    const { bytes, length } = heads[kind];
    const size = bytes.write(value, length, 'latin1');
    bytes.writeUInt32BE(size, length - LENGTH_BYTES);
    hash('sha256', bytes.subarray(0, length + size), 'buffer').copy(outer, BLOCK_BYTES);
    return hash('sha256', outer, 'hex');
  };
};
