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

const isReplacing = ({ replacement }: OsdpPeripheralState, now: MonotonicTime): boolean =>
  replacement !== null && now < replacement.until;

/** The keys that may be used now, tried in turn. None: the reader is not used. */
const permittedKeys = (
  { security }: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  now: MonotonicTime,
): readonly OsdpSessionBaseKey[] => {
  const { key, replacement } = state;
  const own = (bytes: Uint8Array): OsdpSessionBaseKey => ({ bytes, installation: false, sets_key: false });
  const keys: OsdpSessionBaseKey[] = [];
  if (key !== null) keys.push(own(key.bytes));
  if (replacement !== null && isReplacing(state, now)) keys.push(replacement.base);
  if (key?.previous !== undefined) keys.push(own(key.previous));
  else if (security === 'pair' && (key === null || !key.confirmed) && !keys.some(({ installation }) => installation))
    keys.push({ bytes: OSDP_INSTALLATION_KEY, installation: true, sets_key: true });
  return keys;
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
  const keys = permittedKeys(setup, state, now);
  if (setup.security === 'plain' && keys.length === 0)
    return { state: { ...state, phase: { name: 'discover' } }, effects: [answered] };
  const base = keys[state.key_choice % keys.length];
  if (base === undefined) {
    const message = `${formatOsdpReaderName(setup)} has no key yet: allow pairing ("security": "pair"), and watch the cable while it pairs`;
    return recordOsdpSessionFailure(state, message, now, [answered]);
  }
  return {
    state: { ...state, phase: { name: 'challenge', base, random: setup.random(RANDOM_BYTES) } },
    effects: [answered],
  };
};

const rejection = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  base: OsdpSessionBaseKey,
  now: MonotonicTime,
): string => {
  const reader = formatOsdpReaderName(setup);
  if (state.replacement !== null && isReplacing(state, now)) {
    if (state.replacement.base.installation)
      return `${reader} has another key: set it to installation mode as its manual describes, or type in its key`;
    return `${reader} rejects the key that was typed in: check the key, or set the reader to installation mode`;
  }
  if (base.installation) return `${reader} rejects the installation key: reset it to installation mode`;
  return `${reader} rejects its key: if it was replaced or reset, choose "Replace reader" on the technician page, or delete ${setup.key_store.place} and pair it again, on a bench and not over a cable that others can reach`;
};

const refused = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  base: OsdpSessionBaseKey,
  now: MonotonicTime,
): OsdpPeripheralStep =>
  recordOsdpSessionFailure({ ...state, key_choice: state.key_choice + 1 }, rejection(setup, state, base, now), now, [
    answered,
  ]);

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
  const { key: kept, replacement } = state;
  const created = { bytes: setup.random(KEY_BYTES), confirmed: false };
  const replacing = kept !== null && replacement !== null ? { ...created, previous: kept.bytes } : created;
  // A key that was sent before and never confirmed is sent again, because the reader may have received it.
  const key = kept === null || kept.confirmed ? replacing : kept;
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
  if (base.sets_key) return withNewKey(setup, state, session);
  const discovering: OsdpPeripheralState = { ...state, session, phase: { name: 'discover' } };
  if (state.key === null || state.key.confirmed) return { state: discovering, effects: [answered] };
  const key = { bytes: base.bytes, confirmed: true };
  const hasNewKey = matches(base.bytes, state.key.bytes);
  const replaced: readonly OsdpPeripheralEffect[] =
    hasNewKey && state.replacement !== null ? [{ type: 'replaced', identity: state.identity }] : [];
  return {
    state: { ...discovering, key, key_choice: 0, replacement: hasNewKey ? null : state.replacement },
    effects: [{ type: 'keep_key', key }, ...replaced, answered],
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
    state: { ...state, phase: { name: 'greet' }, sequence: 0, session: null, key_choice: 0 },
    effects: [answered],
  };
};
