import type { PresentedControllerIdentity } from '../phone/nfc-phone-protocol.ts';
import { type BluetoothResultName, parseBluetoothResult } from './bluetooth-uuids-and-result-codes.ts';
import {
  type BluetoothGadgetActionRequest,
  encodeBluetoothSigningBytes,
  encodeBluetoothHello,
  encodeBluetoothProof,
  encodeSealedBluetoothMessage,
  parseBluetoothChallenge,
  parseBluetoothError,
  parsePresentedControllerIdentity,
  parseSealedBluetoothMessage,
} from './messages.ts';
import {
  deriveBluetoothSessionKeys,
  type EphemeralKey,
  hashBluetoothTranscript,
  type BluetoothSessionKeys,
} from './session-keys.ts';

/** The key of the phone for one organization. */
export interface BluetoothPhoneCredential {
  readonly organization_id: string;
  readonly bluetoothKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

export interface BluetoothPhoneSession {
  readonly keys: BluetoothSessionKeys;
  readonly identity: PresentedControllerIdentity;
}

export type BluetoothChallengeOutcome =
  | { readonly type: 'proof'; readonly session: BluetoothPhoneSession; readonly message: Uint8Array }
  /** The controller belongs to an organization that the phone has no key for, or it does not have the Bluetooth key. */
  | { readonly type: 'unknown_controller' }
  | { readonly type: 'failed'; readonly result: BluetoothResultName };

/** The first message to the controller. */
export const createBluetoothHello = (ephemeral: EphemeralKey): Uint8Array => encodeBluetoothHello(ephemeral.publicKey);

/** Signs the challenge for one door. Returns `unknown_controller` without revealing anything to a foreign controller. */
export const answerBluetoothChallenge = async (
  ephemeral: EphemeralKey,
  message: Uint8Array,
  credentials: readonly BluetoothPhoneCredential[],
  requestFor: (identity: PresentedControllerIdentity) => BluetoothGadgetActionRequest | null,
): Promise<BluetoothChallengeOutcome> => {
  const error = parseBluetoothError(message);
  if (error !== null) return { type: 'failed', result: error };
  const challenge = parseBluetoothChallenge(message);
  const shared = challenge === null ? null : await ephemeral.agree(challenge.publicKey);
  if (challenge === null || shared === null) return { type: 'failed', result: 'malformed' };
  const transcript = await hashBluetoothTranscript([createBluetoothHello(ephemeral), challenge.head]);
  for (const credential of credentials) {
    const keys = await deriveBluetoothSessionKeys(shared, credential.bluetoothKey, transcript);
    const plain = await keys.challenge.open(challenge.sealed);
    const identity = plain === null ? null : parsePresentedControllerIdentity(plain);
    if (identity?.organization_id !== credential.organization_id) continue;
    const request = requestFor(identity);
    if (request === null) return { type: 'unknown_controller' };
    const { publicKey } = credential;
    const signature = await credential.sign(encodeBluetoothSigningBytes(identity, request, transcript, publicKey));
    const proof = encodeBluetoothProof({ ...request, publicKey, signature });
    return {
      type: 'proof',
      session: { keys, identity },
      message: encodeSealedBluetoothMessage('proof', await keys.proof.seal(proof)),
    };
  }
  return { type: 'unknown_controller' };
};

/** The result that the controller sent; `malformed` if it was changed on the way. */
export const decryptBluetoothResult = async (
  { keys }: BluetoothPhoneSession,
  message: Uint8Array,
): Promise<BluetoothResultName> => {
  const error = parseBluetoothError(message);
  if (error !== null) return error;
  const sealed = parseSealedBluetoothMessage('result', message);
  const plain = sealed === null ? null : await keys.result.open(sealed);
  return (plain?.length === 1 ? parseBluetoothResult(plain[0]!) : null) ?? 'malformed';
};
