import { concatenate } from '../encoding/length-prefixed.ts';
import { encodeResponse, readCommand, STATUS_OK } from './apdu.ts';
import {
  type AskingReader,
  AUTHENTICATE,
  isInstruction,
  PHONE_AID,
  PHONE_PROTOCOL_VERSION,
  phoneSigningBytes,
  readQuestion,
  SELECT,
} from './phone-application.ts';

export interface PhoneKey {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export type PhoneSide = 'idle' | 'selected';

export interface PhoneAnswer {
  readonly state: PhoneSide;
  readonly response: Uint8Array;
}

const NOT_FOUND = 0x6a82;
const WRONG_DATA = 0x6a80;
const NOT_NOW = 0x6985;
const UNKNOWN_INSTRUCTION = 0x6d00;
const MALFORMED = 0x6700;

const isOurs = (aid: Uint8Array): boolean =>
  aid.length === PHONE_AID.length && PHONE_AID.every((byte, index) => byte === aid[index]);

const refuse = (status: number): PhoneAnswer => ({ state: 'idle', response: encodeResponse(status) });

/** What the phone answers to one command. It signs once for each selection; `keyFor` is null for a stranger's door. */
export const answerReader = (
  state: PhoneSide,
  bytes: Uint8Array,
  keyFor: (reader: AskingReader) => PhoneKey | null,
): PhoneAnswer => {
  const command = readCommand(bytes);
  if (command === null) return refuse(MALFORMED);
  if (isInstruction(command, SELECT)) {
    if (!isOurs(command.data)) return refuse(NOT_FOUND);
    return { state: 'selected', response: encodeResponse(STATUS_OK, Uint8Array.of(PHONE_PROTOCOL_VERSION)) };
  }
  if (!isInstruction(command, AUTHENTICATE)) return refuse(UNKNOWN_INSTRUCTION);
  if (state !== 'selected') return refuse(NOT_NOW);
  const question = readQuestion(command.data);
  if (question === null) return refuse(WRONG_DATA);
  const key = keyFor(question.reader);
  if (key === null) return refuse(NOT_NOW);
  const signature = key.sign(phoneSigningBytes(question, key.publicKey));
  return { state: 'idle', response: encodeResponse(STATUS_OK, concatenate([key.publicKey, signature])) };
};
