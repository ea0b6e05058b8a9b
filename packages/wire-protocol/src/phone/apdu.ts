import { concatenateBytes } from '../encoding/length-prefixed.ts';

/** ISO 7816-4, short lengths only, which all readers, modules and phones support. */
export interface CommandApdu {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
  readonly data: Uint8Array;
}

export interface ResponseApdu {
  readonly data: Uint8Array;
  /** Both bytes of the status word. */
  readonly status: number;
}

const SHORTEST_COMMAND = 4;
const LONGEST_DATA = 255;
/** 256 bytes of data and the status word. */
const LONGEST_RESPONSE = 258;

export const APDU_STATUS_OK = 0x9000;

/** Requests a response of any length (Le 00). */
export const encodeCommandApdu = ({ cla, ins, p1, p2, data }: CommandApdu): Uint8Array => {
  if (data.length > LONGEST_DATA) throw new RangeError('A short command has at most 255 bytes of data');
  const head = [cla, ins, p1, p2];
  if (data.length === 0) return Uint8Array.from([...head, 0]);
  return concatenateBytes([Uint8Array.from([...head, data.length]), data, Uint8Array.of(0)]);
};

/** Null if it is not a short command or its length is wrong. */
export const parseCommandApdu = (bytes: Uint8Array): CommandApdu | null => {
  const [cla, ins, p1, p2, length] = bytes;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) return null;
  const data = bytes.length > SHORTEST_COMMAND + 1 ? bytes.subarray(5, 5 + length!) : new Uint8Array();
  const withData = SHORTEST_COMMAND + 1 + data.length;
  const isWhole = data.length === 0 ? bytes.length <= SHORTEST_COMMAND + 1 : data.length === length;
  return isWhole && bytes.length <= withData + 1 ? { cla, ins, p1, p2, data } : null;
};

export const encodeResponseApdu = (status: number, data: Uint8Array = new Uint8Array()): Uint8Array =>
  concatenateBytes([data, Uint8Array.of(status >> 8, status & 0xff)]);

/** Null without a status word, or if longer than a short response. */
export const parseResponseApdu = (bytes: Uint8Array): ResponseApdu | null => {
  if (bytes.length < 2 || bytes.length > LONGEST_RESPONSE) return null;
  return { data: bytes.slice(0, -2), status: (bytes.at(-2)! << 8) | bytes.at(-1)! };
};
