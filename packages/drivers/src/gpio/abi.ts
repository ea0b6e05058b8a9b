/* Binary layout of linux/gpio.h, version 2 of the character device. Little-endian, as on all supported systems. */

export const GPIO_IOCTL_GET_CHIP_INFO = 0x8044b401;
export const GPIO_IOCTL_GET_LINE = 0xc250b407;
export const GPIO_IOCTL_GET_VALUES = 0xc010b40e;
export const GPIO_IOCTL_SET_VALUES = 0xc010b40f;

export const GPIO_CHIP_INFO_BYTES = 68;
export const GPIO_LINE_EVENT_BYTES = 48;
const REQUEST_BYTES = 592;
const NAME_BYTES = 32;
const CONSUMER_AT = 256;
const FLAGS_AT = 288;
const ATTRIBUTE_COUNT_AT = 296;
const ATTRIBUTES_AT = 320;
const ATTRIBUTE_BYTES = 24;
const LINE_COUNT_AT = 560;
const EVENT_BUFFER_AT = 564;
const FD_AT = 588;

const ATTRIBUTE_OUTPUT_VALUES = 2;
const ATTRIBUTE_DEBOUNCE = 3;

const flagBits = {
  active_low: 1 << 1,
  input: 1 << 2,
  output: 1 << 3,
  rising: 1 << 4,
  falling: 1 << 5,
  open_drain: 1 << 6,
  open_source: 1 << 7,
  pull_up: 1 << 8,
  pull_down: 1 << 9,
  no_pull: 1 << 10,
} as const;

export type GpioLineFlag = keyof typeof flagBits;

export interface GpioLineRequestOptions {
  readonly offsets: readonly number[];
  readonly flags: readonly GpioLineFlag[];
  /** The kernel reports a change only after it has lasted this long. */
  readonly debounce_us?: number;
  readonly consumer: string;
  /** Number of edges that the kernel buffers. */
  readonly event_buffer?: number;
}

const bitsOf = (count: number): bigint => (1n << BigInt(count)) - 1n;

const text = (bytes: Buffer): string => bytes.toString('utf8').split('\0', 1)[0]!;

/** Requests outputs as off in the same call, so that they never float and are never on. */
export const encodeGpioLineRequest = (wanted: GpioLineRequestOptions): Buffer => {
  const bytes = Buffer.alloc(REQUEST_BYTES);
  for (const [index, offset] of wanted.offsets.entries()) bytes.writeUInt32LE(offset, index * 4);
  bytes.write(wanted.consumer, CONSUMER_AT, NAME_BYTES - 1, 'ascii');
  bytes.writeBigUInt64LE(BigInt(wanted.flags.reduce((all, flag) => all | flagBits[flag], 0)), FLAGS_AT);
  const attributes: (readonly [id: number, value: bigint])[] = [];
  if (wanted.flags.includes('output')) attributes.push([ATTRIBUTE_OUTPUT_VALUES, 0n]);
  if (wanted.debounce_us !== undefined) attributes.push([ATTRIBUTE_DEBOUNCE, BigInt(wanted.debounce_us)]);
  bytes.writeUInt32LE(attributes.length, ATTRIBUTE_COUNT_AT);
  for (const [index, [id, value]] of attributes.entries()) {
    const at = ATTRIBUTES_AT + index * ATTRIBUTE_BYTES;
    bytes.writeUInt32LE(id, at);
    bytes.writeBigUInt64LE(value, at + 8);
    bytes.writeBigUInt64LE(bitsOf(wanted.offsets.length), at + 16);
  }
  bytes.writeUInt32LE(wanted.offsets.length, LINE_COUNT_AT);
  bytes.writeUInt32LE(wanted.event_buffer ?? 0, EVENT_BUFFER_AT);
  return bytes;
};

export const decodeGpioLineRequestFd = (answer: Buffer): number => answer.readInt32LE(FD_AT);

/** One bit for each line of the request, in its order. */
export const encodeGpioLineValues = (values: readonly boolean[]): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(
    values.reduce((bits, value, index) => (value ? bits | (1n << BigInt(index)) : bits), 0n),
    0,
  );
  bytes.writeBigUInt64LE(bitsOf(values.length), 8);
  return bytes;
};

export const decodeGpioLineValues = (bytes: Buffer, count: number): readonly boolean[] => {
  const bits = bytes.readBigUInt64LE(0);
  return Array.from({ length: count }, (_, index) => ((bits >> BigInt(index)) & 1n) === 1n);
};

export const decodeGpioChipInfo = (bytes: Buffer) => ({
  name: text(bytes.subarray(0, NAME_BYTES)),
  label: text(bytes.subarray(NAME_BYTES, 2 * NAME_BYTES)),
  lines: bytes.readUInt32LE(2 * NAME_BYTES),
});

export interface GpioLineEvent {
  /** Milliseconds of the monotonic clock, taken by the kernel when the edge happened. */
  readonly at_ms: number;
  readonly offset: number;
  /** Toward active: the kernel inverts lines that are active low. */
  readonly isRising: boolean;
  /** Counts the edges of the request; a gap means a lost edge. */
  readonly sequence: number;
}

const RISING = 1;
const FALLING = 2;

/** Skips incomplete records and records of unknown kind. */
export const decodeGpioLineEvents = (bytes: Buffer): readonly GpioLineEvent[] => {
  const events: GpioLineEvent[] = [];
  for (let at = 0; at + GPIO_LINE_EVENT_BYTES <= bytes.length; at += GPIO_LINE_EVENT_BYTES) {
    const kind = bytes.readUInt32LE(at + 8);
    if (kind !== RISING && kind !== FALLING) continue;
    events.push({
      at_ms: Number(bytes.readBigUInt64LE(at)) / 1e6,
      offset: bytes.readUInt32LE(at + 12),
      isRising: kind === RISING,
      sequence: bytes.readUInt32LE(at + 16),
    });
  }
  return events;
};
