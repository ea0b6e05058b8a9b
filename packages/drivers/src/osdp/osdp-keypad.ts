import type { Key } from '@lintel/access-core/key-entry-model';
import { KeypadBase } from '../base/keypad-base.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';

/** The standard's codes for star and hash, and those that some keypads send instead. */
const OTHER_KEYS: ReadonlyMap<number, Key> = new Map([
  [0x7f, '*'],
  [0x2a, '*'],
  [0x0d, '#'],
  [0x23, '#'],
]);

const keyOf = (code: number): Key | undefined =>
  code >= 0x30 && code <= 0x39 ? (String.fromCharCode(code) as Key) : OTHER_KEYS.get(code);

/** The keypad of a reader. */
export class OsdpKeypad extends KeypadBase {
  constructor(peripheral: OsdpPeripheral, { reader = 0 }: { readonly reader?: number } = {}) {
    super();
    peripheral.onFault(this.health.follow);
    peripheral.onReply(reply => {
      if (reply.type !== 'keypad' || reply.reader !== reader) return;
      for (const code of reply.keys) {
        const key = keyOf(code);
        if (key !== undefined) this.press(key);
      }
    });
  }
}
