import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { recordOsdpSessionFailure } from './peripheral-faults.ts';
import type {
  OsdpSessionBaseKey,
  OsdpPeripheralEffect,
  OsdpPeripheralSetup,
  OsdpPeripheralState,
  OsdpPeripheralStep,
  OsdpPeripheralPhase,
} from './peripheral-state-types.ts';
import { formatOsdpReaderName } from './peripheral-state-types.ts';
import type { ReceivedOsdpPacket } from './packet.ts';
import { type OsdpReaderKey, OsdpReaderKeyError } from './reader-key-store-interface.ts';
import type { OsdpReply } from './decode-osdp-reply.ts';
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

const answered: OsdpPeripheralEffect = { type: 'answered' };

const matches = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Null if no key may be used. */
const baseKey = (
  { security }: OsdpPeripheralSetup,
  { key, try_installation }: OsdpPeripheralState,
): OsdpSessionBaseKey | null => {
  const installation: OsdpSessionBaseKey = { bytes: OSDP_INSTALLATION_KEY, installation: true };
  if (key === null) return security === 'pair' ? installation : null;
  if (security === 'pair' && !key.confirmed && try_installation) return installation;
  return { bytes: key.bytes, installation: false };
};

const keptKey = ({ key_store }: OsdpPeripheralSetup): OsdpReaderKey | null | OsdpReaderKeyError => {
  try {
    return key_store.read();
  } catch (error) {
    if (error instanceof OsdpReaderKeyError) return error;
    throw error;
  }
};

/** After identification: starts a secure channel, or skips it in `plain` mode. */
export const beginOsdpSecureSession = (
  setup: OsdpPeripheralSetup,
  before: OsdpPeripheralState,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const key = keptKey(setup);
  // Without its key the reader cannot be authenticated, so not even plain communication is allowed.
  if (key instanceof OsdpReaderKeyError) return recordOsdpSessionFailure(before, key.message, now, [answered]);
  const state: OsdpPeripheralState = { ...before, key };
  if (setup.security === 'plain' && state.key === null)
    return { state: { ...state, phase: { name: 'discover' } }, effects: [answered] };
  const base = baseKey(setup, state);
  if (base === null) {
    const message = `${formatOsdpReaderName(setup)} has no key yet: allow pairing ("security": "pair"), and watch the cable while it pairs`;
    return recordOsdpSessionFailure(state, message, now, [answered]);
  }
  return {
    state: { ...state, phase: { name: 'challenge', base, random: setup.random(RANDOM_BYTES) } },
    effects: [answered],
  };
};

const refused = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  base: OsdpSessionBaseKey,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const turned = state.key?.confirmed === false ? { ...state, try_installation: !state.try_installation } : state;
  const message = base.installation
    ? `${formatOsdpReaderName(setup)} rejects the installation key: reset it to installation mode`
    : `${formatOsdpReaderName(setup)} rejects its key: if it was replaced or reset, delete ${setup.key_store.place} and pair it again, on a bench and not over a cable that others can reach`;
  return recordOsdpSessionFailure(turned, message, now, [answered]);
};

/** A reply that no genuine reader sends. Pairing now would reveal the new key to an impostor. */
export const rejectUnknownOsdpReader = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const message = `${formatOsdpReaderName(setup)} is impersonated by a device without its key: look for a second device with this address and for other devices on the line, and do not pair`;
  return recordOsdpSessionFailure(state, message, now, [answered]);
};

/** Handles the reply to the challenge. */
export const handleOsdpChallengeReply = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  { base, random }: Extract<OsdpPeripheralPhase, { name: 'challenge' }>,
  reply: OsdpReply | null,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  if (reply?.type === 'nak') {
    if (reply.reason !== UNKNOWN_COMMAND) return refused(setup, state, base, now);
    return recordOsdpSessionFailure(state, `${formatOsdpReaderName(setup)} does not support a secure channel`, now, [
      answered,
    ]);
  }
  if (reply?.type !== 'ccrypt') return rejectUnknownOsdpReader(setup, state, now);
  const keys = deriveOsdpSessionKeys(setup.aes, base.bytes, random);
  if (!matches(reply.cryptogram, computeOsdpCryptogram(setup.aes, keys, random, reply.random)))
    return refused(setup, state, base, now);
  const proof = computeOsdpCryptogram(setup.aes, keys, reply.random, random);
  return { state: { ...state, phase: { name: 'prove', base, keys, cryptogram: proof } }, effects: [answered] };
};

const withNewKey = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  session: OsdpSession,
): OsdpPeripheralStep => {
  const key = state.key ?? { bytes: setup.random(KEY_BYTES), confirmed: false };
  return {
    state: { ...state, session, key, phase: { name: 'hand_over_key', key: key.bytes } },
    effects: [{ type: 'keep_key', key }, answered],
  };
};

/** Handles the reply to the panel cryptogram. All later messages are sealed. */
export const handleOsdpProofReply = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  { base, keys, cryptogram }: Extract<OsdpPeripheralPhase, { name: 'prove' }>,
  reply: OsdpReply | null,
  security: ReceivedOsdpPacket['security'],
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const reply_mac = computeInitialOsdpMac(setup.aes, keys, cryptogram);
  if (reply?.type === 'nak') return refused(setup, state, base, now);
  if (reply?.type !== 'rmac_i') return rejectUnknownOsdpReader(setup, state, now);
  if (security?.data[0] !== ACCEPTED || !matches(reply.mac, reply_mac)) return refused(setup, state, base, now);
  const session = { ...keys, command_mac: NO_MAC, reply_mac };
  if (base.installation) return withNewKey(setup, state, session);
  const discovering: OsdpPeripheralState = { ...state, session, phase: { name: 'discover' } };
  if (state.key === null || state.key.confirmed) return { state: discovering, effects: [answered] };
  const key = { ...state.key, confirmed: true };
  return {
    state: { ...discovering, key, try_installation: false },
    effects: [{ type: 'keep_key', key }, answered],
  };
};

/** Handles the reply to the new key. From now on only this key starts a session. */
export const handleOsdpKeySetReply = (
  state: OsdpPeripheralState,
  reply: OsdpReply,
  setup: OsdpPeripheralSetup,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  if (reply.type !== 'ack')
    return recordOsdpSessionFailure(state, `${formatOsdpReaderName(setup)} rejects a new key`, now, [answered]);
  return {
    state: { ...state, phase: { name: 'greet' }, sequence: 0, session: null, try_installation: false },
    effects: [answered],
  };
};
