import { concatenateBytes } from '../encoding/length-prefixed.ts';
import { encodeResponseApdu, parseCommandApdu, APDU_STATUS_OK } from './apdu.ts';
import {
  type PresentedControllerIdentity,
  PHONE_AUTHENTICATE_APDU_HEADER,
  hasApduHeader,
  NFC_PHONE_AID,
  NFC_PHONE_PROTOCOL_VERSION,
  encodeNfcPhoneSigningBytes,
  parseNfcPhoneChallenge,
  PHONE_SELECT_APDU_HEADER,
} from './nfc-phone-protocol.ts';

export interface PhoneKey {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export type NfcPhoneSelectionState = 'idle' | 'selected';

export interface NfcPhoneResponse {
  readonly state: NfcPhoneSelectionState;
  readonly response: Uint8Array;
}

export type NfcPhoneResponseStep<Key> =
  | ({ readonly type: 'response' } & NfcPhoneResponse)
  /** The key must sign; `completeNfcPhoneResponse` then returns the response. */
  | {
      readonly type: 'sign';
      readonly state: NfcPhoneSelectionState;
      readonly key: Key;
      readonly signingBytes: Uint8Array;
    };

const NOT_FOUND = 0x6a82;
const WRONG_DATA = 0x6a80;
const NOT_NOW = 0x6985;
const UNKNOWN_INSTRUCTION = 0x6d00;
const MALFORMED = 0x6700;

const isOurs = (aid: Uint8Array): boolean =>
  aid.length === NFC_PHONE_AID.length && NFC_PHONE_AID.every((byte, index) => byte === aid[index]);

const refuse = (status: number) => ({ type: 'response', state: 'idle', response: encodeResponseApdu(status) }) as const;

/** The first half of `respondToNfcReader`, for keys that sign asynchronously. */
export const prepareNfcPhoneResponse = <Key extends Pick<PhoneKey, 'publicKey'>>(
  state: NfcPhoneSelectionState,
  bytes: Uint8Array,
  keyFor: (reader: PresentedControllerIdentity) => Key | null,
): NfcPhoneResponseStep<Key> => {
  const command = parseCommandApdu(bytes);
  if (command === null) return refuse(MALFORMED);
  if (hasApduHeader(command, PHONE_SELECT_APDU_HEADER)) {
    if (!isOurs(command.data)) return refuse(NOT_FOUND);
    const response = encodeResponseApdu(APDU_STATUS_OK, Uint8Array.of(NFC_PHONE_PROTOCOL_VERSION));
    return { type: 'response', state: 'selected', response };
  }
  if (!hasApduHeader(command, PHONE_AUTHENTICATE_APDU_HEADER)) return refuse(UNKNOWN_INSTRUCTION);
  if (state !== 'selected') return refuse(NOT_NOW);
  const phoneChallenge = parseNfcPhoneChallenge(command.data);
  if (phoneChallenge === null) return refuse(WRONG_DATA);
  const key = keyFor(phoneChallenge.reader);
  if (key === null) return refuse(NOT_NOW);
  return { type: 'sign', state: 'idle', key, signingBytes: encodeNfcPhoneSigningBytes(phoneChallenge, key.publicKey) };
};

export const completeNfcPhoneResponse = (publicKey: Uint8Array, signature: Uint8Array): Uint8Array =>
  encodeResponseApdu(APDU_STATUS_OK, concatenateBytes([publicKey, signature]));

/**
 * The response of the phone to one command. Signs once per selection; `keyFor` returns null for an unknown
 * organization.
 */
export const respondToNfcReader = (
  state: NfcPhoneSelectionState,
  bytes: Uint8Array,
  keyFor: (reader: PresentedControllerIdentity) => PhoneKey | null,
): NfcPhoneResponse => {
  const step = prepareNfcPhoneResponse(state, bytes, keyFor);
  if (step.type === 'response') return step;
  const { key, signingBytes } = step;
  return { state: step.state, response: completeNfcPhoneResponse(key.publicKey, key.sign(signingBytes)) };
};
