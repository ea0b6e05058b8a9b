import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { KeypadBase } from '../../base/keypad-base.ts';
import { GrabbedInputDevice, type GrabbedInputDeviceOptions } from '../../evdev/grabbed-input-device.ts';
import { type KeyCodeState, initialKeyCodeState, decodeKeyPress } from './decode-key-press.ts';

export interface UsbKeypadOptions extends Pick<GrabbedInputDeviceOptions, 'path' | 'clock' | 'calls'> {
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
