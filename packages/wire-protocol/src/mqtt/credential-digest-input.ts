import { concatenateBytes, encodeLengthPrefixed } from '../encoding/length-prefixed.ts';

/*
 * Controllers store only digests of PINs, cards and magic links: HMAC-SHA-256 under the device's own digest key, in 64 lower-case
 * hex digits, over the bytes below. The controller creates the key of 32 bytes and sends it to the bridge when it is claimed or
 * changes the key. Its hello and every snapshot name the key by an id.
 */

const DOMAIN = 'lintel credential digest 1';

const beginning = (kind: string): Uint8Array => encodeLengthPrefixed([DOMAIN, kind]);
/** Precomputed, because a person waits at the door. */
const beginnings = { pin: beginning('pin'), card: beginning('card'), magic_link: beginning('magic_link') };

export type DigestedCredentialKind = keyof typeof beginnings;

/** `value`: the digits of a PIN, a card's uid in lower-case hex, or the token of a magic link. */
export const encodeCredentialDigestInput = (kind: DigestedCredentialKind, value: string): Uint8Array =>
  concatenateBytes([beginnings[kind], encodeLengthPrefixed([value])]);
