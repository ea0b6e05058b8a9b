import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { toBase64url } from '../encoding/base64url.ts';
import { concatenateBytes } from '../encoding/length-prefixed.ts';
import { encodeCommandApdu, parseResponseApdu, APDU_STATUS_OK } from './apdu.ts';
import {
  encodeNfcPhoneAuthenticateCommand,
  NFC_PHONE_PROTOCOL_VERSION,
  type NfcPhoneChallenge,
  encodeNfcPhoneSigningBytes,
  ED25519_PUBLIC_KEY_BYTES,
  encodeNfcPhoneSelectCommand,
  ED25519_SIGNATURE_BYTES,
} from './nfc-phone-protocol.ts';

/** Rejects responses that were relayed over a distance, which arrive late. */
export const NFC_PHONE_RESPONSE_TIMEOUT_MS = 500;

/** A response may come in pieces, but not in so many that a card blocks the reader. */
const MOST_PIECES = 4;
const PROOF_BYTES = ED25519_PUBLIC_KEY_BYTES + ED25519_SIGNATURE_BYTES;

export type NfcPhoneFailureReason = 'wrong_version' | 'refused' | 'malformed' | 'too_slow' | 'wrong_signature';

type Stage =
  | { readonly at: 'select' }
  | { readonly at: 'authenticate'; readonly until: MonotonicTime; readonly pieces: readonly Uint8Array[] };

export interface NfcPhoneAuthenticationState {
  readonly phoneChallenge: NfcPhoneChallenge;
  readonly timeout_ms: number;
  readonly stage: Stage;
}

export type NfcPhoneAuthenticationStep =
  | { readonly type: 'send'; readonly state: NfcPhoneAuthenticationState; readonly apdu: Uint8Array }
  /** Ed25519 public key in base64url, as in snapshots. */
  | { readonly type: 'proven'; readonly public_key: string }
  /** Another card, without this application. */
  | { readonly type: 'no_phone' }
  | { readonly type: 'failed'; readonly reason: NfcPhoneFailureReason };

type Send = Extract<NfcPhoneAuthenticationStep, { type: 'send' }>;

export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/** The challenge must be fresh, so that an old response is worthless. */
export const beginNfcPhoneAuthentication = (
  phoneChallenge: NfcPhoneChallenge,
  timeout_ms: number = NFC_PHONE_RESPONSE_TIMEOUT_MS,
): Send => ({
  type: 'send',
  state: { phoneChallenge, timeout_ms, stage: { at: 'select' } },
  apdu: encodeNfcPhoneSelectCommand(),
});

const failure = (reason: NfcPhoneFailureReason): NfcPhoneAuthenticationStep => ({ type: 'failed', reason });

const afterSelect = (
  state: NfcPhoneAuthenticationState,
  bytes: Uint8Array,
  now: MonotonicTime,
): NfcPhoneAuthenticationStep => {
  const response = parseResponseApdu(bytes);
  if (response?.status !== APDU_STATUS_OK) return { type: 'no_phone' };
  if (response.data[0] !== NFC_PHONE_PROTOCOL_VERSION) return failure('wrong_version');
  const stage: Stage = { at: 'authenticate', until: addMilliseconds(now, state.timeout_ms), pieces: [] };
  return { type: 'send', state: { ...state, stage }, apdu: encodeNfcPhoneAuthenticateCommand(state.phoneChallenge) };
};

const GET_RESPONSE = { cla: 0x00, ins: 0xc0, p1: 0x00, p2: 0x00, data: new Uint8Array() } as const;

const check = (
  { phoneChallenge }: NfcPhoneAuthenticationState,
  proof: Uint8Array,
  verify: VerifyEd25519,
): NfcPhoneAuthenticationStep => {
  if (proof.length !== PROOF_BYTES) return failure('malformed');
  const publicKey = proof.subarray(0, ED25519_PUBLIC_KEY_BYTES);
  const isProven = verify(
    publicKey,
    encodeNfcPhoneSigningBytes(phoneChallenge, publicKey),
    proof.subarray(ED25519_PUBLIC_KEY_BYTES),
  );
  return isProven ? { type: 'proven', public_key: toBase64url(publicKey) } : failure('wrong_signature');
};

/** Handles a response of the phone, received at `now`. */
export const continueNfcPhoneAuthentication = (
  state: NfcPhoneAuthenticationState,
  bytes: Uint8Array,
  now: MonotonicTime,
  verify: VerifyEd25519,
): NfcPhoneAuthenticationStep => {
  const { stage } = state;
  if (stage.at === 'select') return afterSelect(state, bytes, now);
  if (now > stage.until) return failure('too_slow');
  const response = parseResponseApdu(bytes);
  if (response === null) return failure('malformed');
  const pieces = [...stage.pieces, response.data];
  if (response.status === APDU_STATUS_OK) return check(state, concatenateBytes(pieces), verify);
  if (response.status >> 8 !== 0x61) return failure('refused');
  const received = pieces.reduce((sum, { length }) => sum + length, 0);
  if (pieces.length >= MOST_PIECES || received > PROOF_BYTES) return failure('malformed');
  return { type: 'send', state: { ...state, stage: { ...stage, pieces } }, apdu: encodeCommandApdu(GET_RESPONSE) };
};
