import { concatenateBytes } from '../encoding/length-prefixed.ts';
import { toBase64url } from '../encoding/base64url.ts';
import type { VerifyEd25519 } from '../phone/nfc-phone-authentication.ts';
import type { PresentedControllerIdentity } from '../phone/nfc-phone-protocol.ts';
import { type BluetoothResultName, bluetoothResultCodes, RSSI_UNKNOWN } from './bluetooth-uuids-and-result-codes.ts';
import {
  type BluetoothGadgetActionRequest,
  encodeBluetoothSigningBytes,
  encodeBluetoothChallengeHead,
  encodePresentedControllerIdentity,
  encodeSealedBluetoothMessage,
  parseBluetoothHello,
  parseBluetoothProof,
  parseSealedBluetoothMessage,
} from './messages.ts';
import {
  deriveBluetoothSessionKeys,
  type EphemeralKey,
  hashBluetoothTranscript,
  type BluetoothSessionKeys,
} from './session-keys.ts';

/** Fresh random values of one exchange. A value that was used before would make old proofs valid. */
export interface BluetoothExchangeRandomValues {
  readonly sessionId: Uint8Array;
  readonly nonce: Uint8Array;
  readonly ephemeral: EphemeralKey;
}

export interface BluetoothControllerSession {
  readonly identity: PresentedControllerIdentity;
  readonly transcript: Uint8Array;
  readonly keys: BluetoothSessionKeys;
}

export type BluetoothHelloOutcome =
  | { readonly type: 'challenge'; readonly session: BluetoothControllerSession; readonly message: Uint8Array }
  | { readonly type: 'failed'; readonly result: BluetoothResultName };

/** Responds to the first message of a phone. */
export const challengeBluetoothPhone = async (
  hello: Uint8Array,
  identity: PresentedControllerIdentity,
  bluetoothKey: Uint8Array,
  { sessionId, nonce, ephemeral }: BluetoothExchangeRandomValues,
): Promise<BluetoothHelloOutcome> => {
  const parsed = parseBluetoothHello(hello);
  if (parsed.type === 'failed') return parsed;
  const shared = await ephemeral.agree(parsed.publicKey);
  if (shared === null) return { type: 'failed', result: 'malformed' };
  const head = encodeBluetoothChallengeHead({ sessionId, nonce, publicKey: ephemeral.publicKey });
  const transcript = await hashBluetoothTranscript([hello, head]);
  const keys = await deriveBluetoothSessionKeys(shared, bluetoothKey, transcript);
  const message = concatenateBytes([head, await keys.challenge.seal(encodePresentedControllerIdentity(identity))]);
  return { type: 'challenge', session: { identity, transcript, keys }, message };
};

export type BluetoothProofOutcome =
  /** `public_key`: Ed25519 public key in base64url, as in snapshots. */
  | { readonly type: 'proven'; readonly public_key: string; readonly request: BluetoothGadgetActionRequest }
  | { readonly type: 'failed'; readonly result: 'malformed' | 'wrong_proof' };

/** Checks the second message of the phone. May be called once for each session. */
export const checkBluetoothProof = async (
  { identity, transcript, keys }: BluetoothControllerSession,
  message: Uint8Array,
  verify: VerifyEd25519,
): Promise<BluetoothProofOutcome> => {
  const sealed = parseSealedBluetoothMessage('proof', message);
  if (sealed === null) return { type: 'failed', result: 'malformed' };
  const plain = await keys.proof.open(sealed);
  const proof = plain === null ? null : parseBluetoothProof(plain);
  if (proof === null) return { type: 'failed', result: 'wrong_proof' };
  const { publicKey, signature, gadget_id, action_id, rssi } = proof;
  const request = { gadget_id, action_id, rssi };
  const isProven = verify(publicKey, encodeBluetoothSigningBytes(identity, request, transcript, publicKey), signature);
  return isProven
    ? { type: 'proven', public_key: toBase64url(publicKey), request }
    : { type: 'failed', result: 'wrong_proof' };
};

/** The last message to the phone. */
export const encryptBluetoothResult = async (
  { keys }: BluetoothControllerSession,
  result: BluetoothResultName,
): Promise<Uint8Array> =>
  encodeSealedBluetoothMessage('result', await keys.result.seal(Uint8Array.of(bluetoothResultCodes[result])));

export interface BluetoothProximityLimits {
  /** In dBm; null: any distance. */
  readonly rssi_threshold: number | null;
  /** Refuses phones that cannot measure the signal, unless the controller measures it. */
  readonly requires_rssi: boolean;
  readonly round_trip_ms: number;
}

/** Null if the phone is close enough. The weaker of both measurements counts. */
export const checkBluetoothProximity = (
  { rssi_threshold, requires_rssi, round_trip_ms }: BluetoothProximityLimits,
  measured: {
    readonly phoneRssi: number;
    readonly controllerRssi: number | null;
    readonly roundTripMs: number;
  },
): 'too_far' | 'too_slow' | null => {
  if (!(measured.roundTripMs <= round_trip_ms)) return 'too_slow';
  if (rssi_threshold === null) return null;
  const known = [measured.phoneRssi, measured.controllerRssi].filter(rssi => rssi !== null && rssi !== RSSI_UNKNOWN);
  if (known.length === 0) return requires_rssi ? 'too_far' : null;
  return known.every(rssi => rssi! >= rssi_threshold) ? null : 'too_far';
};
