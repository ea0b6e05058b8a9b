import type { MonotonicTime } from '@lintel/access-core/monotonic';
import { recordSessionFailure } from './peripheral-faults.ts';
import type {
  SessionBaseKey,
  PeripheralEffect,
  PeripheralSetup,
  PeripheralState,
  PeripheralStep,
  PeripheralPhase,
} from './peripheral-model.ts';
import { formatOsdpReaderName } from './peripheral-model.ts';
import type { ReceivedOsdpPacket } from './packet.ts';
import { type ReaderKey, ReaderKeyError } from './reader-keys.ts';
import type { OsdpReply } from './replies.ts';
import {
  computeOsdpCryptogram,
  computeInitialOsdpMac,
  OSDP_INSTALLATION_KEY,
  type OsdpSession,
  deriveOsdpSessionKeys,
} from './secure-session.ts';

const RANDOM_BYTES = 8;
const KEY_BYTES = 16;
const ACCEPTED = 1;
const NO_MAC = new Uint8Array(KEY_BYTES);
const UNKNOWN_COMMAND = 3;

const answered: PeripheralEffect = { type: 'answered' };

const matches = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Null if no key may be used. */
const baseKey = ({ security }: PeripheralSetup, { key, try_installation }: PeripheralState): SessionBaseKey | null => {
  const installation: SessionBaseKey = { bytes: OSDP_INSTALLATION_KEY, installation: true };
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

/** After identification: starts a secure channel, or skips it in `plain` mode. */
export const beginSecureSession = (
  setup: PeripheralSetup,
  before: PeripheralState,
  now: MonotonicTime,
): PeripheralStep => {
  const key = keptKey(setup);
  // Without its key the reader cannot be authenticated, so not even plain communication is allowed.
  if (key instanceof ReaderKeyError) return recordSessionFailure(before, key.message, now, [answered]);
  const state: PeripheralState = { ...before, key };
  if (setup.security === 'plain' && state.key === null)
    return { state: { ...state, phase: { name: 'discover' } }, effects: [answered] };
  const base = baseKey(setup, state);
  if (base === null) {
    const message = `${formatOsdpReaderName(setup)} has no key yet: allow pairing ("security": "pair"), and watch the cable while it pairs`;
    return recordSessionFailure(state, message, now, [answered]);
  }
  return {
    state: { ...state, phase: { name: 'challenge', base, random: setup.random(RANDOM_BYTES) } },
    effects: [answered],
  };
};

const refused = (
  setup: PeripheralSetup,
  state: PeripheralState,
  base: SessionBaseKey,
  now: MonotonicTime,
): PeripheralStep => {
  const turned = state.key?.confirmed === false ? { ...state, try_installation: !state.try_installation } : state;
  const message = base.installation
    ? `${formatOsdpReaderName(setup)} rejects the installation key: reset it to installation mode`
    : `${formatOsdpReaderName(setup)} rejects its key: if it was replaced or reset, delete ${setup.key_store.place} and pair it again, on a bench and not over a cable that others can reach`;
  return recordSessionFailure(turned, message, now, [answered]);
};

/** A reply that no genuine reader sends. Pairing now would reveal the new key to an impostor. */
export const rejectUnknownReader = (
  setup: PeripheralSetup,
  state: PeripheralState,
  now: MonotonicTime,
): PeripheralStep => {
  const message = `${formatOsdpReaderName(setup)} is impersonated by a device without its key: look for a second reader at this address and for other devices on the line, and do not pair`;
  return recordSessionFailure(state, message, now, [answered]);
};

/** Handles the reply to the challenge. */
export const handleChallengeReply = (
  setup: PeripheralSetup,
  state: PeripheralState,
  { base, random }: Extract<PeripheralPhase, { name: 'challenge' }>,
  reply: OsdpReply | null,
  now: MonotonicTime,
): PeripheralStep => {
  if (reply?.type === 'nak') {
    if (reply.reason !== UNKNOWN_COMMAND) return refused(setup, state, base, now);
    return recordSessionFailure(state, `${formatOsdpReaderName(setup)} does not support a secure channel`, now, [
      answered,
    ]);
  }
  if (reply?.type !== 'ccrypt') return rejectUnknownReader(setup, state, now);
  const keys = deriveOsdpSessionKeys(setup.aes, base.bytes, random);
  if (!matches(reply.cryptogram, computeOsdpCryptogram(setup.aes, keys, random, reply.random)))
    return refused(setup, state, base, now);
  const proof = computeOsdpCryptogram(setup.aes, keys, reply.random, random);
  return { state: { ...state, phase: { name: 'prove', base, keys, cryptogram: proof } }, effects: [answered] };
};

const withNewKey = (setup: PeripheralSetup, state: PeripheralState, session: OsdpSession): PeripheralStep => {
  const key = state.key ?? { bytes: setup.random(KEY_BYTES), confirmed: false };
  return {
    state: { ...state, session, key, phase: { name: 'hand_over_key', key: key.bytes } },
    effects: [{ type: 'keep_key', key }, answered],
  };
};

/** Handles the reply to the panel cryptogram. All later messages are sealed. */
export const handleProofReply = (
  setup: PeripheralSetup,
  state: PeripheralState,
  { base, keys, cryptogram }: Extract<PeripheralPhase, { name: 'prove' }>,
  reply: OsdpReply | null,
  security: ReceivedOsdpPacket['security'],
  now: MonotonicTime,
): PeripheralStep => {
  const reply_mac = computeInitialOsdpMac(setup.aes, keys, cryptogram);
  if (reply?.type === 'nak') return refused(setup, state, base, now);
  if (reply?.type !== 'rmac_i') return rejectUnknownReader(setup, state, now);
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

/** Handles the reply to the new key. From now on only this key starts a session. */
export const handleKeySetReply = (
  state: PeripheralState,
  reply: OsdpReply,
  setup: PeripheralSetup,
  now: MonotonicTime,
): PeripheralStep => {
  if (reply.type !== 'ack')
    return recordSessionFailure(state, `${formatOsdpReaderName(setup)} rejects a new key`, now, [answered]);
  return {
    state: { ...state, phase: { name: 'greet' }, sequence: 0, session: null, try_installation: false },
    effects: [answered],
  };
};
