import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { KeypadBase } from '../base/keypad-base.ts';
import { GrabbedInputDevice, type GrabbedInputDeviceOptions } from '../evdev/grabbed-input-device.ts';
import { EV_KEY, EV_SYN, type InputEvent, KEY_PRESSED_VALUE, SYN_DROPPED, SYN_REPORT } from '../evdev/input-event.ts';

const shifts = new Set([42, 54]);

const numbered = (codes: readonly number[], keys: readonly KeypadKey[]): (readonly [number, KeypadKey])[] =>
  keys.map((key, index) => [codes[index]!, key]);

const digits: readonly KeypadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];

const plain: ReadonlyMap<number, KeypadKey> = new Map([
  ...numbered([2, 3, 4, 5, 6, 7, 8, 9, 10, 11], digits),
  ...numbered([79, 80, 81, 75, 76, 77, 71, 72, 73, 82], digits),
  // The same keys on keypads that send arrow codes while Num Lock is off: End, Down, Page Down…
  ...numbered([107, 108, 109, 105, 76, 106, 102, 103, 104, 110], digits),
  ...numbered([0x201, 0x202, 0x203, 0x204, 0x205, 0x206, 0x207, 0x208, 0x209, 0x200], digits),
  [28, '#'],
  [96, '#'],
  [55, '*'],
  [0x20a, '*'],
  [0x20b, '#'],
]);

/** Main row with Shift; all other shifted keys are ignored. */
const shifted: ReadonlyMap<number, KeypadKey> = new Map<number, KeypadKey>([
  [4, '#'],
  [9, '*'],
]);

const mainRow = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);

export interface KeyCodeState {
  readonly shiftsDown: readonly number[];
  /** The kernel dropped events: input up to the next report is incomplete. */
  readonly isLossy: boolean;
}

export const initialKeyCodeState: KeyCodeState = { shiftsDown: [], isLossy: false };

/** `more`: additional keys of the product, by key code. Repeats and releases are ignored. */
export const decodeKeyPress = (
  state: KeyCodeState,
  { type, code, value }: InputEvent,
  more: ReadonlyMap<number, KeypadKey>,
): { readonly state: KeyCodeState; readonly key: KeypadKey | null } => {
  if (type === EV_SYN && code === SYN_DROPPED) return { state: { shiftsDown: [], isLossy: true }, key: null };
  if (type === EV_SYN && code === SYN_REPORT && state.isLossy) return { state: initialKeyCodeState, key: null };
  if (type !== EV_KEY || state.isLossy) return { state, key: null };
  if (shifts.has(code)) {
    const others = state.shiftsDown.filter(one => one !== code);
    return { state: { ...state, shiftsDown: value === 0 ? others : [...others, code] }, key: null };
  }
  if (value !== KEY_PRESSED_VALUE) return { state, key: null };
  const isShifted = state.shiftsDown.length > 0 && mainRow.has(code);
  return { state, key: more.get(code) ?? (isShifted ? shifted : plain).get(code) ?? null };
};

interface UsbKeypadOptions extends Pick<GrabbedInputDeviceOptions, 'path' | 'clock' | 'calls'> {
  /** Additional keys by kernel key code, such as a doorbell key. */
  readonly keys?: ReadonlyMap<number, KeypadKey>;
}

const noMore: ReadonlyMap<number, KeypadKey> = new Map();

/** A keypad that acts as a USB keyboard. */
export class UsbKeypad extends KeypadBase {
  readonly #device: GrabbedInputDevice;
  #state: KeyCodeState = initialKeyCodeState;

  constructor({ keys = noMore, ...options }: UsbKeypadOptions) {
    super();
    this.#device = new GrabbedInputDevice({
      ...options,
      health: this.health,
      onOpened: () => {
        this.#state = initialKeyCodeState;
      },
      onEvent: event => {
        const { state, key } = decodeKeyPress(this.#state, event, keys);
        this.#state = state;
        if (key !== null) this.press(key);
      },
    });
  }

  close(): void {
    this.#device.close();
  }
}
