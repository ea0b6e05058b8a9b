import type { Monotonic } from '@lintel/access-core/monotonic';
import { failedSession } from './peripheral-ending.ts';
import type {
  BaseKey,
  PeripheralEffect,
  PeripheralSetup,
  PeripheralState,
  PeripheralStep,
  Phase,
} from './peripheral-model.ts';
import { readerAt } from './peripheral-model.ts';
import type { ReceivedPacket } from './packet.ts';
import { type ReaderKey, ReaderKeyError } from './reader-keys.ts';
import type { Reply } from './replies.ts';
import { cryptogram, initialMac, INSTALLATION_KEY, type Session, sessionKeys } from './secure-session.ts';

const RANDOM_BYTES = 8;
const KEY_BYTES = 16;
const ACCEPTED = 1;
const NO_MAC = new Uint8Array(KEY_BYTES);
const UNKNOWN_COMMAND = 3;

const answered: PeripheralEffect = { type: 'answered' };

const matches = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Null when there is none that may be used. */
const baseKey = ({ security }: PeripheralSetup, { key, try_installation }: PeripheralState): BaseKey | null => {
  const installation: BaseKey = { bytes: INSTALLATION_KEY, installation: true };
  if (key === null) return security === 'pair' ? installation : null;
  if (security === 'pair' && !key.confirmed && try_installation) return installation;
  return { bytes: key.bytes, installation: false };
};

const keptKey = ({ key_store }: PeripheralSetup): ReaderKey | null | ReaderKeyError => {
  try {
    return key_store.read();
  } catch (error) {
    if (error instanceof ReaderKeyError) return error;
    throw error;
  }
};

/** After the greeting: the way to a secure channel, or past it where none is wanted. */
export const beginSession = (setup: PeripheralSetup, before: PeripheralState, now: Monotonic): PeripheralStep => {
  const key = keptKey(setup);
  // Without its key it may be anybody: not even in the clear.
  if (key instanceof ReaderKeyError) return failedSession(before, key.message, now, [answered]);
  const state: PeripheralState = { ...before, key };
  if (setup.security === 'plain' && state.key === null)
    return { state: { ...state, phase: { name: 'discover' } }, effects: [answered] };
  const base = baseKey(setup, state);
  if (base === null) {
    const message = `${readerAt(setup)} has no key yet: allow pairing ("security": "pair") and keep the line in sight meanwhile`;
    return failedSession(state, message, now, [answered]);
  }
  return {
    state: { ...state, phase: { name: 'challenge', base, random: setup.random(RANDOM_BYTES) } },
    effects: [answered],
  };
};

const refused = (setup: PeripheralSetup, state: PeripheralState, base: BaseKey, now: Monotonic): PeripheralStep => {
  const turned = state.key?.confirmed === false ? { ...state, try_installation: !state.try_installation } : state;
  const message = base.installation
    ? `${readerAt(setup)} does not take the installation key: reset it to installation mode`
    : `${readerAt(setup)} does not take its key: if it was replaced or reset, delete ${setup.key_store.place} and pair it anew, at the desk and not over a line that others can reach`;
  return failedSession(turned, message, now, [answered]);
};

/** What no reader says here, whatever its key. To pair now would hand the new key to whoever says it. */
export const strangerHeard = (setup: PeripheralSetup, state: PeripheralState, now: Monotonic): PeripheralStep => {
  const message = `somebody else answers for ${readerAt(setup)}, without its key: look for a second reader at this address, and for what else hangs on the line; pair nothing on it`;
  return failedSession(state, message, now, [answered]);
};

/** The answer to the challenge. */
export const challenged = (
  setup: PeripheralSetup,
  state: PeripheralState,
  { base, random }: Extract<Phase, { name: 'challenge' }>,
  reply: Reply | null,
  now: Monotonic,
): PeripheralStep => {
  if (reply?.type === 'nak') {
    if (reply.reason !== UNKNOWN_COMMAND) return refused(setup, state, base, now);
    return failedSession(state, `${readerAt(setup)} has no secure channel`, now, [answered]);
  }
  if (reply?.type !== 'ccrypt') return strangerHeard(setup, state, now);
  const keys = sessionKeys(setup.aes, base.bytes, random);
  if (!matches(reply.cryptogram, cryptogram(setup.aes, keys, random, reply.random)))
    return refused(setup, state, base, now);
  const proof = cryptogram(setup.aes, keys, reply.random, random);
  return { state: { ...state, phase: { name: 'prove', base, keys, cryptogram: proof } }, effects: [answered] };
};

const withNewKey = (setup: PeripheralSetup, state: PeripheralState, session: Session): PeripheralStep => {
  const key = state.key ?? { bytes: setup.random(KEY_BYTES), confirmed: false };
  return {
    state: { ...state, session, key, phase: { name: 'hand_over_key', key: key.bytes } },
    effects: [{ type: 'keep_key', key }, answered],
  };
};

/** The answer to our own proof: from here on everything is sealed. */
export const proven = (
  setup: PeripheralSetup,
  state: PeripheralState,
  { base, keys, cryptogram }: Extract<Phase, { name: 'prove' }>,
  reply: Reply | null,
  security: ReceivedPacket['security'],
  now: Monotonic,
): PeripheralStep => {
  const reply_mac = initialMac(setup.aes, keys, cryptogram);
  if (reply?.type === 'nak') return refused(setup, state, base, now);
  if (reply?.type !== 'rmac_i') return strangerHeard(setup, state, now);
  if (security?.data[0] !== ACCEPTED || !matches(reply.mac, reply_mac)) return refused(setup, state, base, now);
  const session = { ...keys, command_mac: NO_MAC, reply_mac };
  if (base.installation) return withNewKey(setup, state, session);
  const discovering: PeripheralState = { ...state, session, phase: { name: 'discover' } };
  if (state.key === null || state.key.confirmed) return { state: discovering, effects: [answered] };
  const key = { ...state.key, confirmed: true };
  return {
    state: { ...discovering, key, try_installation: false },
    effects: [{ type: 'keep_key', key }, answered],
  };
};

/** The reader has taken its key: a session by it, and by nothing else from now on. */
export const keyTaken = (
  state: PeripheralState,
  reply: Reply,
  setup: PeripheralSetup,
  now: Monotonic,
): PeripheralStep => {
  if (reply.type !== 'ack') return failedSession(state, `${readerAt(setup)} refuses a key of its own`, now, [answered]);
  return {
    state: { ...state, phase: { name: 'greet' }, sequence: 0, session: null, try_installation: false },
    effects: [answered],
  };
};
