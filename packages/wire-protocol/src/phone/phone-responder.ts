import { concatenateBytes } from '../encoding/length-prefixed.ts';
import { encodeResponseApdu, parseCommandApdu, APDU_STATUS_OK } from './apdu.ts';
import {
  type PresentedControllerIdentity,
  PHONE_AUTHENTICATE_APDU_HEADER,
  hasApduHeader,
  PHONE_AID,
  PHONE_PROTOCOL_VERSION,
  encodePhoneSigningBytes,
  parsePhoneChallenge,
  PHONE_SELECT_APDU_HEADER,
} from './nfc-phone-protocol.ts';

export interface PhoneKey {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export type PhoneSelectionState = 'idle' | 'selected';

export interface PhoneResponse {
  readonly state: PhoneSelectionState;
  readonly response: Uint8Array;
}

export type PhoneResponseStep<Key> =
  | ({ readonly type: 'response' } & PhoneResponse)
  /** The key must sign; `completePhoneResponse` then returns the response. */
  | {
      readonly type: 'sign';
      readonly state: PhoneSelectionState;
      readonly key: Key;
      readonly signingBytes: Uint8Array;
    };

const NOT_FOUND = 0x6a82;
const WRONG_DATA = 0x6a80;
const NOT_NOW = 0x6985;
const UNKNOWN_INSTRUCTION = 0x6d00;
const MALFORMED = 0x6700;

const isOurs = (aid: Uint8Array): boolean =>
  aid.length === PHONE_AID.length && PHONE_AID.every((byte, index) => byte === aid[index]);

const refuse = (status: number) => ({ type: 'response', state: 'idle', response: encodeResponseApdu(status) }) as const;

/** The first half of `respondToPhoneReader`, for keys that sign asynchronously. */
export const preparePhoneResponse = <Key extends Pick<PhoneKey, 'publicKey'>>(
  state: PhoneSelectionState,
  bytes: Uint8Array,
  keyFor: (reader: PresentedControllerIdentity) => Key | null,
): PhoneResponseStep<Key> => {
  const command = parseCommandApdu(bytes);
  if (command === null) return refuse(MALFORMED);
  if (hasApduHeader(command, PHONE_SELECT_APDU_HEADER)) {
    if (!isOurs(command.data)) return refuse(NOT_FOUND);
    const response = encodeResponseApdu(APDU_STATUS_OK, Uint8Array.of(PHONE_PROTOCOL_VERSION));
    return { type: 'response', state: 'selected', response };
  }
  if (!hasApduHeader(command, PHONE_AUTHENTICATE_APDU_HEADER)) return refuse(UNKNOWN_INSTRUCTION);
  if (state !== 'selected') return refuse(NOT_NOW);
  const phoneChallenge = parsePhoneChallenge(command.data);
  if (phoneChallenge === null) return refuse(WRONG_DATA);
  const key = keyFor(phoneChallenge.reader);
  if (key === null) return refuse(NOT_NOW);
  return { type: 'sign', state: 'idle', key, signingBytes: encodePhoneSigningBytes(phoneChallenge, key.publicKey) };
};

export const completePhoneResponse = (publicKey: Uint8Array, signature: Uint8Array): Uint8Array =>
  encodeResponseApdu(APDU_STATUS_OK, concatenateBytes([publicKey, signature]));

/**
 * The response of the phone to one command. Signs once per selection; `keyFor` returns null for an unknown
 * organization.
 */
export const respondToPhoneReader = (
  state: PhoneSelectionState,
  bytes: Uint8Array,
  keyFor: (reader: PresentedControllerIdentity) => PhoneKey | null,
): PhoneResponse => {
  const step = preparePhoneResponse(state, bytes, keyFor);
  if (step.type === 'response') return step;
  const { key, signingBytes } = step;
  return { state: step.state, response: completePhoneResponse(key.publicKey, key.sign(signingBytes)) };
};
