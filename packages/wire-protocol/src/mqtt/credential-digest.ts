import { concatenate, lengthPrefixed } from '../encoding/length-prefixed.ts';

/*
 * A controller knows PINs and cards by digests only: HMAC-SHA-256 under the device's own digest key, 64 digits of
 * lower-case hex, over the bytes below. The key is made on the controller, told to the bridge once when it is claimed
 * (and again when it is changed), and named by an id in the controller's hello and in every slice.
 */

const DOMAIN = 'lintel credential digest 1';
const SHORTEST_PIN = 4;

/** What the digests are keyed with: 32 bytes. */
export const DIGEST_KEY_BYTES = 32;

const utf8 = new TextEncoder();

const beginning = (kind: string): Uint8Array => lengthPrefixed([DOMAIN, kind].map(text => utf8.encode(text)));
/** The same for all: a person at a door waits for the rest. */
const beginnings = { pin: beginning('pin'), card: beginning('card') };

/** `value`: the digits of a PIN as they are typed, or a card's uid in lower-case hex. */
export const credentialDigestInput = (kind: 'pin' | 'card', value: string): Uint8Array =>
  concatenate([beginnings[kind], lengthPrefixed([utf8.encode(value)])]);

/** What a keypad has seen when it must still wait for another digit. They are digested as PINs are. */
export const properPrefixesOfPin = (digits: string): readonly string[] =>
  Array.from({ length: Math.max(0, digits.length - SHORTEST_PIN) }, (_, longer) =>
    digits.slice(0, SHORTEST_PIN + longer),
  );
