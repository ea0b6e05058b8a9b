import type { TransmitApdu } from '../phone/nfc-phone-authenticator.ts';
import { type Pn532Chip, Pn532Error } from './pn532-chip.ts';

/** The card or phone has left or does not respond anymore. */
export class Pn532TargetLostError extends Error {
  override readonly name = 'Pn532TargetLostError';
}

const SHORT_MS = 300;
/** A phone may be slow; its time limit is checked elsewhere. */
const EXCHANGE_MS = 1_500;

/** User manual, 7.2.11: the chip wakes with the first edge and needs some time, so the host sends idle bytes. */
const WAKE = Uint8Array.of(0x55, 0x55, ...new Uint8Array(14));

const PN532 = 0x32;

/** Wakes the chip and sets it up as a reader. Throws Pn532Error. */
export const setUpPn532 = async (chip: Pn532Chip): Promise<void> => {
  await chip.write(WAKE);
  // SAMConfiguration: normal mode, no secure module.
  await chip.command({ code: 0x14, parameters: Uint8Array.of(0x01, 0x00, 0x00), timeout_ms: SHORT_MS });
  const [kind] = await chip.command({ code: 0x02, parameters: new Uint8Array(), timeout_ms: SHORT_MS });
  if (kind !== PN532) throw new Pn532Error('The chip is not a PN532');
  // RFConfiguration, retries: a search for cards returns after a few attempts instead of waiting.
  await chip.command({ code: 0x32, parameters: Uint8Array.of(0x05, 0xff, 0x01, 0x02), timeout_ms: SHORT_MS });
};

export interface Pn532Target {
  readonly number: number;
  readonly uid: Uint8Array;
  /** ISO 14443-4: supports APDUs. */
  readonly speaksApdus: boolean;
}

/** Parses the response to InListPassiveTarget for type A at 106 kbit/s; null without a valid target. */
export const parsePn532Target = (data: Uint8Array): Pn532Target | null => {
  const [count, number, , , selected, length] = data;
  if (count === undefined || count < 1 || number === undefined || selected === undefined || length === undefined)
    return null;
  const uid = data.slice(6, 6 + length);
  return uid.length === length ? { number, uid, speaksApdus: (selected & 0x20) !== 0 } : null;
};

export const findPn532Target = async (chip: Pn532Chip): Promise<Pn532Target | null> =>
  parsePn532Target(await chip.command({ code: 0x4a, parameters: Uint8Array.of(0x01, 0x00), timeout_ms: SHORT_MS }));

/** Releases the target, so that the next search finds it again if it is still present. */
export const releasePn532Target = async (chip: Pn532Chip, { number }: Pn532Target): Promise<void> => {
  await chip.command({ code: 0x52, parameters: Uint8Array.of(number), timeout_ms: SHORT_MS });
};

/** InDataExchange: the low six bits of the first byte are the status. */
export const createPn532TargetTransmitter =
  (chip: Pn532Chip, { number }: Pn532Target): TransmitApdu =>
  async apdu => {
    const answer = await chip.command({
      code: 0x40,
      parameters: Uint8Array.of(number, ...apdu),
      timeout_ms: EXCHANGE_MS,
    });
    const [status] = answer;
    if (status === undefined || (status & 0x3f) !== 0) throw new Pn532TargetLostError(`status ${status}`);
    return answer.slice(1);
  };
