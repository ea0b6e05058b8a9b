import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { KeypadBase } from '../base/keypad-base.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';

/** The standard's codes for star and hash, and codes that some keypads send instead. */
const OTHER_KEYS: ReadonlyMap<number, KeypadKey> = new Map([
  [0x7f, '*'],
  [0x2a, '*'],
  [0x0d, '#'],
  [0x23, '#'],
]);

const keyOf = (code: number): KeypadKey | undefined =>
  code >= 0x30 && code <= 0x39 ? (String.fromCharCode(code) as KeypadKey) : OTHER_KEYS.get(code);

/** The keypad of one reader of an OSDP peripheral. */
export class OsdpKeypad extends KeypadBase {
  constructor(peripheral: OsdpPeripheral, reader_number: number) {
    super();
    peripheral.onFault(this.health.follow);
    peripheral.onReply(reply => {
      if (reply.type !== 'keypad' || reply.reader !== reader_number) return;
      for (const code of reply.keys) {
        const key = keyOf(code);
        if (key !== undefined) this.press(key);
      }
    });
  }
}
