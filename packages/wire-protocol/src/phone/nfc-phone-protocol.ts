import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';
import { type CommandApdu, encodeCommandApdu } from './apdu.ts';

/*
 * A phone that acts as a card. The reader selects the application, and the phone responds with its protocol version.
 * The reader sends a fresh challenge and its identity, and the phone responds with its public key and an Ed25519
 * signature over both. `docs/hardware/phones.md` describes the bytes.
 */

/** From the proprietary range (F0…): F0, `LINTEL`, 01. */
export const NFC_PHONE_AID: Uint8Array = Uint8Array.of(0xf0, 0x4c, 0x49, 0x4e, 0x54, 0x45, 0x4c, 0x01);
export const NFC_PHONE_PROTOCOL_VERSION = 1;

export const NFC_PHONE_CHALLENGE_BYTES = 32;
export const ED25519_PUBLIC_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;

const LONGEST_ID = 64;

/** The identity of the reader. A phone with tokens of several organizations selects one by it; both ids are signed. */
export interface PresentedControllerIdentity {
  readonly organization_id: string;
  readonly device_id: string;
}

export interface NfcPhoneChallenge {
  readonly challenge: Uint8Array;
  readonly reader: PresentedControllerIdentity;
}

const DOMAIN = 'lintel phone tap 1';
const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes that the phone signs. They are useless at another door, for another challenge or as another document. */
export const encodeNfcPhoneSigningBytes = (
  { challenge, reader }: NfcPhoneChallenge,
  publicKey: Uint8Array,
): Uint8Array => encodeLengthPrefixed([DOMAIN, reader.organization_id, reader.device_id, challenge, publicKey]);

export const PHONE_SELECT_APDU_HEADER = { cla: 0x00, ins: 0xa4, p1: 0x04, p2: 0x00 } as const;
export const PHONE_AUTHENTICATE_APDU_HEADER = { cla: 0x80, ins: 0x86, p1: 0x00, p2: 0x00 } as const;

export const hasApduHeader = (command: CommandApdu, { cla, ins, p1, p2 }: Omit<CommandApdu, 'data'>): boolean =>
  command.cla === cla && command.ins === ins && command.p1 === p1 && command.p2 === p2;

export const encodeNfcPhoneSelectCommand = (): Uint8Array =>
  encodeCommandApdu({ ...PHONE_SELECT_APDU_HEADER, data: NFC_PHONE_AID });

/** A text of 1 to 64 bytes after a length byte. */
export const encodeShortLengthPrefixedText = (text: string): Uint8Array => {
  const bytes = utf8.encode(text);
  if (bytes.length === 0 || bytes.length > LONGEST_ID) throw new RangeError('An id has 1 to 64 bytes');
  return Uint8Array.of(bytes.length, ...bytes);
};

/** The challenge, then both ids, each after a length byte. */
export const encodeNfcPhoneAuthenticateCommand = ({ challenge, reader }: NfcPhoneChallenge): Uint8Array => {
  if (challenge.length !== NFC_PHONE_CHALLENGE_BYTES) throw new RangeError('A challenge has 32 bytes');
  const data = Uint8Array.of(
    ...challenge,
    ...encodeShortLengthPrefixedText(reader.organization_id),
    ...encodeShortLengthPrefixedText(reader.device_id),
  );
  return encodeCommandApdu({ ...PHONE_AUTHENTICATE_APDU_HEADER, data });
};

/** Null if the length is wrong or the bytes are not text. */
export const readShortLengthPrefixedText = (
  bytes: Uint8Array,
  start: number,
): { readonly text: string; readonly end: number } | null => {
  const length = bytes[start] ?? 0;
  const end = start + 1 + length;
  if (length < 1 || length > LONGEST_ID || end > bytes.length) return null;
  try {
    return { text: strictUtf8.decode(bytes.subarray(start + 1, end)), end };
  } catch {
    return null;
  }
};

/** Decodes the data of an authenticate command; null if malformed. */
export const parseNfcPhoneChallenge = (data: Uint8Array): NfcPhoneChallenge | null => {
  const organization = readShortLengthPrefixedText(data, NFC_PHONE_CHALLENGE_BYTES);
  const device = organization === null ? null : readShortLengthPrefixedText(data, organization.end);
  if (organization === null || device?.end !== data.length) return null;
  const reader = { organization_id: organization.text, device_id: device.text };
  return { challenge: data.slice(0, NFC_PHONE_CHALLENGE_BYTES), reader };
};
