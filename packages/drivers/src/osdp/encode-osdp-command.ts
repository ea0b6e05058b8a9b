interface OutputControl {
  readonly output: number;
  readonly control: 'off' | 'on' | 'on_for';
  /** Tenths of a second, for `on_for`. */
  readonly ticks: number;
}

interface LedControl {
  readonly reader: number;
  readonly led: number;
  /** Overrides the permanent color for a time. */
  readonly temporary: { readonly color: number; readonly ticks: number } | 'keep' | 'end';
  /** Null: unchanged. */
  readonly permanent: { readonly color: number } | null;
}

export type OsdpCommand =
  | { readonly type: 'poll' | 'id' | 'cap' | 'lstat' | 'istat' }
  | { readonly type: 'out'; readonly outputs: readonly OutputControl[] }
  | { readonly type: 'led'; readonly leds: readonly LedControl[] }
  /** `count` 0: sounds until turned off. */
  | { readonly type: 'buz'; readonly reader: number; readonly on_ticks: number; readonly count: number }
  /** Printable ASCII on the display, at its first row and column. `seconds` null: until it is replaced. */
  | { readonly type: 'text'; readonly reader: number; readonly text: string; readonly seconds: number | null }
  /** Changes the address and the baud rate of the reader, after its reply. */
  | { readonly type: 'comset'; readonly address: number; readonly baud_rate: number }
  | { readonly type: 'keyset'; readonly key: Uint8Array }
  | { readonly type: 'chlng'; readonly random: Uint8Array }
  | { readonly type: 'scrypt'; readonly cryptogram: Uint8Array };

/** The reader inside the peripheral; null for a command to the whole peripheral. */
export const readerNumberOfOsdpCommand = (command: OsdpCommand): number | null => {
  if (command.type === 'led') return command.leds[0]?.reader ?? null;
  return command.type === 'buz' || command.type === 'text' ? command.reader : null;
};

const CODES: Readonly<Record<OsdpCommand['type'], number>> = {
  poll: 0x60,
  id: 0x61,
  cap: 0x62,
  lstat: 0x64,
  istat: 0x65,
  out: 0x68,
  led: 0x69,
  buz: 0x6a,
  text: 0x6b,
  comset: 0x6e,
  keyset: 0x75,
  chlng: 0x76,
  scrypt: 0x77,
};

const OUTPUT_CODES = { off: 1, on: 2, on_for: 5 } as const;
const BLACK = 0;
/** On time without off time. */
const STEADY = [1, 0] as const;
const TONE = { off: 1, plain: 2 } as const;
const TEXT = { permanent: 1, temporary: 3 } as const;
const FIRST_ROW_AND_COLUMN = [1, 1] as const;
const KEY_TYPE_SCBK = 1;

const word = (value: number): readonly [number, number] => [value & 0xff, (value >> 8) & 0xff];

const output = ({ output, control, ticks }: OutputControl): readonly number[] => [
  output,
  OUTPUT_CODES[control],
  ...word(control === 'on_for' ? ticks : 0),
];

const temporary = (shown: LedControl['temporary']): readonly number[] => {
  if (typeof shown === 'string') return [shown === 'keep' ? 0 : 1, 0, 0, 0, 0, 0, 0];
  return [2, ...STEADY, shown.color, BLACK, ...word(shown.ticks)];
};

const led = ({ reader, led, temporary: shown, permanent }: LedControl): readonly number[] => [
  reader,
  led,
  ...temporary(shown),
  ...(permanent === null ? [0, 0, 0, 0, 0] : [1, ...STEADY, permanent.color, BLACK]),
];

const dataOf = (command: OsdpCommand): readonly number[] => {
  switch (command.type) {
    case 'id':
    case 'cap':
      return [0];
    case 'out':
      return command.outputs.flatMap(output);
    case 'led':
      return command.leds.flatMap(led);
    case 'buz':
      return [command.reader, command.on_ticks === 0 ? TONE.off : TONE.plain, command.on_ticks, 0, command.count];
    case 'text': {
      const { reader, text, seconds } = command;
      const kind = seconds === null ? TEXT.permanent : TEXT.temporary;
      return [reader, kind, seconds ?? 0, ...FIRST_ROW_AND_COLUMN, text.length, ...Buffer.from(text, 'latin1')];
    }
    case 'comset':
      return [command.address, ...word(command.baud_rate), ...word(command.baud_rate >> 16)];
    case 'keyset':
      return [KEY_TYPE_SCBK, command.key.length, ...command.key];
    case 'chlng':
      return [...command.random];
    case 'scrypt':
      return [...command.cryptogram];
    default:
      return [];
  }
};

export const encodeOsdpCommand = (command: OsdpCommand): { readonly id: number; readonly data: Uint8Array } => ({
  id: CODES[command.type],
  data: Uint8Array.from(dataOf(command)),
});
