import { hexOf } from '@lintel/access-core/hex';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { credentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest';

/** Digests under one device's key. */
export type Digester = (kind: 'pin' | 'card', value: string) => string;

/** The last byte of its length is all that is written of it. */
const LONGEST_VALUE = 255;

/** What comes before every value of the kind, and room for one. The last byte before the value is that of its length. */
const template = (kind: 'pin' | 'card') => {
  const head = credentialDigestInput(kind, '');
  const bytes = new Uint8Array(head.length + LONGEST_VALUE);
  bytes.set(head);
  return { bytes, valueAt: head.length };
};

/**
 * HMAC-SHA-256 whose state after the key is kept. A person waits at the door for it, mostly after a pause in which the
 * processor has forgotten everything: there it takes a quarter of what a call into OpenSSL does, and a slice of half a
 * million takes it as often. Values are ASCII.
 */
export const digesterOf = (key: Uint8Array): Digester => {
  const keyed = hmac.create(sha256, key);
  const templates = { pin: template('pin'), card: template('card') };
  const digest = new Uint8Array(keyed.outputLen);
  let running = keyed.clone();
  return (kind, value) => {
    if (value.length > LONGEST_VALUE) throw new RangeError('the value is too long for a digest');
    const { bytes, valueAt } = templates[kind];
    bytes[valueAt - 1] = value.length;
    for (let index = 0; index < value.length; index++) bytes[valueAt + index] = value.charCodeAt(index);
    running = keyed._cloneInto(running);
    running.update(bytes.subarray(0, valueAt + value.length)).digestInto(digest);
    return hexOf(digest);
  };
};
