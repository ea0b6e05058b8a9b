import { constants, openSync, readdirSync, writeSync } from 'node:fs';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { keystroke } from '../../support/hardware/evdev-input-records.ts';

const UI_SET_EVBIT = 0x40045564;
const UI_SET_KEYBIT = 0x40045565;
const UI_DEV_SETUP = 0x405c5503;
const UI_DEV_CREATE = 0x5501;
const UI_GET_SYSNAME = 0x8040552c;
const EV_KEY = 1;
const KEYS = 0x210;
const ENTER = 28;
const ORDER_OF_DIGITS = '1234567890';
const FIRST_DIGIT = 2;

const describeDevice = (): Buffer => {
  const setup = Buffer.alloc(92);
  // USB, vendor, product, version.
  for (const [index, value] of [3, 0x1209, 1, 1].entries()) setup.writeUInt16LE(value, index * 2);
  setup.write('Keyboard of the test', 8);
  return setup;
};

/** A USB keyboard of the kernel, made with uinput. */
export class UinputKeyboard {
  readonly #fd = openSync('/dev/uinput', constants.O_RDWR);
  /** Its event device. */
  readonly path: string;

  constructor() {
    const ioctl = (request: number, argument: Uint8Array | number): void =>
      linuxSystemCalls.ioctl(this.#fd, request, argument);
    ioctl(UI_SET_EVBIT, EV_KEY);
    for (let code = 1; code < KEYS; code += 1) ioctl(UI_SET_KEYBIT, code);
    ioctl(UI_DEV_SETUP, describeDevice());
    ioctl(UI_DEV_CREATE, 0);
    const name = Buffer.alloc(64);
    ioctl(UI_GET_SYSNAME, name);
    const folder = `/sys/devices/virtual/input/${name.toString('latin1').split('\0')[0]}`;
    const event = readdirSync(folder).find(entry => entry.startsWith('event'));
    if (event === undefined) throw new Error(`${folder} has no event device: the module evdev is missing`);
    this.path = `/dev/input/${event}`;
  }

  /** Types digits and Enter, as a keyboard-wedge reader also does for a card. */
  type(digits: string): void {
    const codes = [...Array.from(digits, digit => FIRST_DIGIT + ORDER_OF_DIGITS.indexOf(digit)), ENTER];
    for (const code of codes) writeSync(this.#fd, keystroke(code));
  }
}
