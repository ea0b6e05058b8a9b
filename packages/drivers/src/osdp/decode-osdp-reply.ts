export interface OsdpPeripheralIdentity {
  /** As registered with the IEEE, six hexadecimal digits. */
  readonly vendor: string;
  readonly model: number;
  readonly version: number;
  readonly serial: number;
  readonly firmware: string;
}

export type OsdpReply =
  | { readonly type: 'ack' | 'busy' }
  | { readonly type: 'nak'; readonly reason: number }
  | { readonly type: 'pdid'; readonly identity: OsdpPeripheralIdentity }
  | { readonly type: 'lstatr'; readonly tampered: boolean; readonly power_failed: boolean }
  | { readonly type: 'istatr'; readonly inputs: readonly number[] }
  | {
      readonly type: 'raw';
      readonly reader: number;
      readonly format: number;
      readonly bit_count: number;
      readonly bits: Uint8Array;
    }
  | { readonly type: 'fmt'; readonly reader: number; readonly text: string }
  /** What the reader uses from now on. */
  | { readonly type: 'com'; readonly address: number; readonly baud_rate: number }
  | { readonly type: 'keypad'; readonly reader: number; readonly keys: readonly number[] }
  | {
      readonly type: 'ccrypt';
      readonly unique_id: Uint8Array;
      readonly random: Uint8Array;
      readonly cryptogram: Uint8Array;
    }
  | { readonly type: 'rmac_i'; readonly mac: Uint8Array }
  /** A reply that a door controller does not use. */
  | { readonly type: 'other'; readonly id: number };

type Decoder = (data: Uint8Array) => OsdpReply | null;

const word = (data: Uint8Array, at: number): number => data[at]! | (data[at + 1]! << 8);
const doubleWord = (data: Uint8Array, at: number): number => (word(data, at) | (word(data, at + 2) << 16)) >>> 0;

const hex = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');

const pdid: Decoder = data =>
  data.length < 12
    ? null
    : {
        type: 'pdid',
        identity: {
          vendor: hex(data.subarray(0, 3)),
          model: data[3]!,
          version: data[4]!,
          serial: doubleWord(data, 5),
          firmware: data.subarray(9, 12).join('.'),
        },
      };

const raw: Decoder = data => {
  if (data.length < 4) return null;
  const bit_count = word(data, 2);
  const bits = data.subarray(4);
  if (bit_count === 0 || bits.length !== Math.ceil(bit_count / 8)) return null;
  return { type: 'raw', reader: data[0]!, format: data[1]!, bit_count, bits };
};

const fmt: Decoder = data => {
  if (data.length < 3 || data.length !== 3 + data[2]!) return null;
  const letters = [...data.subarray(3)].map(byte => String.fromCharCode(byte));
  const backwards = data[1] === 1;
  return { type: 'fmt', reader: data[0]!, text: (backwards ? letters.reverse() : letters).join('') };
};

const keypad: Decoder = data =>
  data.length < 2 || data.length !== 2 + data[1]!
    ? null
    : { type: 'keypad', reader: data[0]!, keys: [...data.subarray(2)] };

const ccrypt: Decoder = data =>
  data.length === 32
    ? {
        type: 'ccrypt',
        unique_id: data.subarray(0, 8),
        random: data.subarray(8, 16),
        cryptogram: data.subarray(16),
      }
    : null;

const decoders: Readonly<Record<number, Decoder>> = {
  0x40: () => ({ type: 'ack' }),
  0x41: data => (data.length === 0 ? null : { type: 'nak', reason: data[0]! }),
  0x45: pdid,
  0x48: data => (data.length < 2 ? null : { type: 'lstatr', tampered: data[0] !== 0, power_failed: data[1] !== 0 }),
  0x49: data => ({ type: 'istatr', inputs: [...data] }),
  0x50: raw,
  0x51: fmt,
  0x53: keypad,
  0x54: data => (data.length === 5 ? { type: 'com', address: data[0]!, baud_rate: doubleWord(data, 1) } : null),
  0x76: ccrypt,
  0x78: data => (data.length === 16 ? { type: 'rmac_i', mac: data } : null),
  0x79: () => ({ type: 'busy' }),
};

/** Null if the data does not match the reply code. */
export const decodeOsdpReply = (id: number, data: Uint8Array): OsdpReply | null => {
  const decode = decoders[id];
  return decode === undefined ? { type: 'other', id } : decode(data);
};
