import { after, type Monotonic } from '@lintel/access-core/monotonic';
import { toBase64url } from '../encoding/base64url.ts';
import { concatenate } from '../encoding/length-prefixed.ts';
import { encodeCommand, readResponse, STATUS_OK } from './apdu.ts';
import {
  authenticateCommand,
  PHONE_PROTOCOL_VERSION,
  type PhoneQuestion,
  phoneSigningBytes,
  PUBLIC_KEY_BYTES,
  selectCommand,
  SIGNATURE_BYTES,
} from './phone-application.ts';

/** A phone far away, asked through somebody's radio, answers late. */
export const DEFAULT_ANSWER_MS = 500;

/** An answer may come in pieces, but not in so many that a card keeps the reader for itself. */
const MOST_PIECES = 4;
const PROOF_BYTES = PUBLIC_KEY_BYTES + SIGNATURE_BYTES;

export type PhoneFailure = 'wrong_version' | 'refused' | 'malformed' | 'too_slow' | 'wrong_signature';

type Stage =
  | { readonly at: 'select' }
  | { readonly at: 'answer'; readonly until: Monotonic; readonly pieces: readonly Uint8Array[] };

export interface ReaderSide {
  readonly question: PhoneQuestion;
  readonly answer_ms: number;
  readonly stage: Stage;
}

export type ReaderStep =
  | { readonly type: 'send'; readonly state: ReaderSide; readonly apdu: Uint8Array }
  /** Ed25519, the public key in base64url as slices have it. */
  | { readonly type: 'proven'; readonly public_key: string }
  /** Some other card: it has no such application. */
  | { readonly type: 'no_phone' }
  | { readonly type: 'failed'; readonly reason: PhoneFailure };

type Send = Extract<ReaderStep, { type: 'send' }>;

export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/** The challenge in the question must be fresh: that alone makes an old answer worthless. */
export const askPhone = (question: PhoneQuestion, answer_ms: number = DEFAULT_ANSWER_MS): Send => ({
  type: 'send',
  state: { question, answer_ms, stage: { at: 'select' } },
  apdu: selectCommand(),
});

const failure = (reason: PhoneFailure): ReaderStep => ({ type: 'failed', reason });

const afterSelect = (state: ReaderSide, bytes: Uint8Array, now: Monotonic): ReaderStep => {
  const response = readResponse(bytes);
  if (response?.status !== STATUS_OK) return { type: 'no_phone' };
  if (response.data[0] !== PHONE_PROTOCOL_VERSION) return failure('wrong_version');
  const stage: Stage = { at: 'answer', until: after(now, state.answer_ms), pieces: [] };
  return { type: 'send', state: { ...state, stage }, apdu: authenticateCommand(state.question) };
};

const GET_RESPONSE = { cla: 0x00, ins: 0xc0, p1: 0x00, p2: 0x00, data: new Uint8Array() } as const;

const check = ({ question }: ReaderSide, proof: Uint8Array, verify: VerifyEd25519): ReaderStep => {
  if (proof.length !== PROOF_BYTES) return failure('malformed');
  const publicKey = proof.subarray(0, PUBLIC_KEY_BYTES);
  const isProven = verify(publicKey, phoneSigningBytes(question, publicKey), proof.subarray(PUBLIC_KEY_BYTES));
  return isProven ? { type: 'proven', public_key: toBase64url(publicKey) } : failure('wrong_signature');
};

/** What the phone has answered, and when. */
export const hearPhone = (state: ReaderSide, bytes: Uint8Array, now: Monotonic, verify: VerifyEd25519): ReaderStep => {
  const { stage } = state;
  if (stage.at === 'select') return afterSelect(state, bytes, now);
  if (now > stage.until) return failure('too_slow');
  const response = readResponse(bytes);
  if (response === null) return failure('malformed');
  const pieces = [...stage.pieces, response.data];
  if (response.status === STATUS_OK) return check(state, concatenate(pieces), verify);
  if (response.status >> 8 !== 0x61) return failure('refused');
  const received = pieces.reduce((sum, { length }) => sum + length, 0);
  if (pieces.length >= MOST_PIECES || received > PROOF_BYTES) return failure('malformed');
  return { type: 'send', state: { ...state, stage: { ...stage, pieces } }, apdu: encodeCommand(GET_RESPONSE) };
};
