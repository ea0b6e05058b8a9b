import { concatenateBytes, encodeLengthPrefixed } from '../encoding/length-prefixed.ts';
import {
  ED25519_PUBLIC_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  encodeShortLengthPrefixedText,
  readShortLengthPrefixedText,
  type PresentedControllerIdentity,
} from '../phone/nfc-phone-protocol.ts';
import {
  BLUETOOTH_PROTOCOL_VERSION,
  type BluetoothResultName,
  bluetoothResultCodes,
  isEncryptedBluetoothResult,
  parseBluetoothResult,
} from './bluetooth-uuids-and-result-codes.ts';
import { BLUETOOTH_CIPHER_TAG_BYTES, X25519_KEY_BYTES } from './session-keys.ts';

export const bluetoothMessageTypes = { hello: 0x01, challenge: 0x02, proof: 0x03, result: 0x04, error: 0x05 } as const;

export const BLUETOOTH_SESSION_ID_BYTES = 8;
export const BLUETOOTH_NONCE_BYTES = 32;
const HELLO_BYTES = 2 + X25519_KEY_BYTES;
const CHALLENGE_HEAD_BYTES = 2 + BLUETOOTH_SESSION_ID_BYTES + BLUETOOTH_NONCE_BYTES + X25519_KEY_BYTES;
const PROOF_TAIL_BYTES = 1 + ED25519_PUBLIC_KEY_BYTES + ED25519_SIGNATURE_BYTES;

export type ParsedBluetoothHello =
  | { readonly type: 'hello'; readonly publicKey: Uint8Array }
  | { readonly type: 'failed'; readonly result: 'malformed' | 'unsupported_version' };

export const encodeBluetoothHello = (publicKey: Uint8Array): Uint8Array =>
  Uint8Array.of(bluetoothMessageTypes.hello, BLUETOOTH_PROTOCOL_VERSION, ...publicKey);

export const parseBluetoothHello = (message: Uint8Array): ParsedBluetoothHello => {
  if (message[0] !== bluetoothMessageTypes.hello || message.length < 2) return { type: 'failed', result: 'malformed' };
  if (message[1] !== BLUETOOTH_PROTOCOL_VERSION) return { type: 'failed', result: 'unsupported_version' };
  if (message.length !== HELLO_BYTES) return { type: 'failed', result: 'malformed' };
  return { type: 'hello', publicKey: message.slice(2) };
};

export interface BluetoothChallengeHead {
  readonly sessionId: Uint8Array;
  readonly nonce: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The part of the challenge before the encrypted identity. */
export const encodeBluetoothChallengeHead = ({ sessionId, nonce, publicKey }: BluetoothChallengeHead): Uint8Array => {
  if (sessionId.length !== BLUETOOTH_SESSION_ID_BYTES)
    throw new RangeError(`A session id has ${BLUETOOTH_SESSION_ID_BYTES} bytes`);
  if (nonce.length !== BLUETOOTH_NONCE_BYTES) throw new RangeError(`A nonce has ${BLUETOOTH_NONCE_BYTES} bytes`);
  return Uint8Array.of(
    bluetoothMessageTypes.challenge,
    BLUETOOTH_PROTOCOL_VERSION,
    ...sessionId,
    ...nonce,
    ...publicKey,
  );
};

/** Null if it is not a challenge of this version. */
export const parseBluetoothChallenge = (
  message: Uint8Array,
): { readonly head: Uint8Array; readonly publicKey: Uint8Array; readonly sealed: Uint8Array } | null => {
  if (message[0] !== bluetoothMessageTypes.challenge || message[1] !== BLUETOOTH_PROTOCOL_VERSION) return null;
  if (message.length <= CHALLENGE_HEAD_BYTES + BLUETOOTH_CIPHER_TAG_BYTES) return null;
  const head = message.slice(0, CHALLENGE_HEAD_BYTES);
  return { head, publicKey: head.slice(-X25519_KEY_BYTES), sealed: message.slice(CHALLENGE_HEAD_BYTES) };
};

export const encodePresentedControllerIdentity = ({
  organization_id,
  device_id,
}: PresentedControllerIdentity): Uint8Array =>
  concatenateBytes([encodeShortLengthPrefixedText(organization_id), encodeShortLengthPrefixedText(device_id)]);

const readTwoTexts = (bytes: Uint8Array): { readonly first: string; readonly second: string; end: number } | null => {
  const first = readShortLengthPrefixedText(bytes, 0);
  const second = first === null ? null : readShortLengthPrefixedText(bytes, first.end);
  return first === null || second === null ? null : { first: first.text, second: second.text, end: second.end };
};

export const parsePresentedControllerIdentity = (bytes: Uint8Array): PresentedControllerIdentity | null => {
  const texts = readTwoTexts(bytes);
  return texts?.end === bytes.length ? { organization_id: texts.first, device_id: texts.second } : null;
};

/** What the phone asks for. */
export interface BluetoothGadgetActionRequest {
  readonly gadget_id: string;
  readonly action_id: string;
  /** Signal strength of the controller at the phone in dBm, or `RSSI_UNKNOWN`. */
  readonly rssi: number;
}

export interface BluetoothProof extends BluetoothGadgetActionRequest {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

const DOMAIN = 'lintel bluetooth 1';

/** The bytes that the phone signs. The transcript covers both ephemeral keys, the session id and the nonce. */
export const encodeBluetoothSigningBytes = (
  { organization_id, device_id }: PresentedControllerIdentity,
  { gadget_id, action_id, rssi }: BluetoothGadgetActionRequest,
  transcript: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array => {
  const texts = [DOMAIN, organization_id, device_id, gadget_id, action_id];
  return encodeLengthPrefixed([...texts, Uint8Array.of(rssi & 0xff), transcript, publicKey]);
};

export const encodeBluetoothProof = ({
  gadget_id,
  action_id,
  rssi,
  publicKey,
  signature,
}: BluetoothProof): Uint8Array =>
  concatenateBytes([
    encodeShortLengthPrefixedText(gadget_id),
    encodeShortLengthPrefixedText(action_id),
    Uint8Array.of(rssi & 0xff),
    publicKey,
    signature,
  ]);

export const parseBluetoothProof = (bytes: Uint8Array): BluetoothProof | null => {
  const texts = readTwoTexts(bytes);
  if (texts === null || bytes.length !== texts.end + PROOF_TAIL_BYTES) return null;
  const { first: gadget_id, second: action_id, end } = texts;
  const rssi = (bytes[end]! << 24) >> 24;
  const publicKey = bytes.slice(end + 1, end + 1 + ED25519_PUBLIC_KEY_BYTES);
  return { gadget_id, action_id, rssi, publicKey, signature: bytes.slice(-ED25519_SIGNATURE_BYTES) };
};

/** A message with one encrypted part. */
export const encodeSealedBluetoothMessage = (type: 'proof' | 'result', sealed: Uint8Array): Uint8Array =>
  Uint8Array.of(bluetoothMessageTypes[type], ...sealed);

export const parseSealedBluetoothMessage = (type: 'proof' | 'result', message: Uint8Array): Uint8Array | null =>
  message[0] === bluetoothMessageTypes[type] && message.length > BLUETOOTH_CIPHER_TAG_BYTES + 1
    ? message.slice(1)
    : null;

/** An error before keys exist. */
export const encodeBluetoothError = (result: BluetoothResultName): Uint8Array =>
  Uint8Array.of(bluetoothMessageTypes.error, bluetoothResultCodes[result]);

/** Null if it is not an error. Without encryption, only errors that say nothing about the member are accepted. */
export const parseBluetoothError = (message: Uint8Array): BluetoothResultName | null => {
  if (message[0] !== bluetoothMessageTypes.error || message.length !== 2) return null;
  const result = parseBluetoothResult(message[1]!);
  return result === null || isEncryptedBluetoothResult(result) ? null : result;
};
