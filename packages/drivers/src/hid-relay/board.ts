import type { HidFeatureReports } from '@lintel/service/linux/hidraw';
import type { RelayLink } from '../relay-boards/confirmed-relays.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';

/*
 * USB relays with the ids 16c0:05df (V-USB): feature reports of 8 bytes after the report number 0. Read: serial number in
 * 5 characters, 2 unused bytes, one bit for each relay. Written: command and relay, counted from 1.
 */

const HID_RELAY_REPORT_BYTES = 9;

const ON = 0xff;
const OFF = 0xfd;
const SERIAL_AT = 1;
const SERIAL_LENGTH = 5;
const STATE_AT = 8;

const encodeHidRelayCommand = (relay: number, on: boolean): Buffer => {
  const report = Buffer.alloc(HID_RELAY_REPORT_BYTES);
  report[1] = on ? ON : OFF;
  report[2] = relay;
  return report;
};

interface HidRelayState {
  readonly serial: string;
  readonly isOn: (relay: number) => boolean;
}

/** Null if it is not the report of such a board. */
const decodeHidRelayState = (report: Buffer): HidRelayState | null => {
  const serial = report.subarray(SERIAL_AT, SERIAL_AT + SERIAL_LENGTH).toString('latin1');
  if (report.length !== HID_RELAY_REPORT_BYTES || !/^[\x21-\x7e]{5}$/.test(serial)) return null;
  const state = report[STATE_AT]!;
  return { serial, isOn: relay => ((state >> (relay - 1)) & 1) === 1 };
};

/** The board responded, but the report is wrong. */
class HidRelayError extends Error {
  override readonly name = 'HidRelayError';
}

interface HidRelayLinkOptions {
  readonly reports: HidFeatureReports;
  /** The relay of each output, counted from 1. */
  readonly outputs: Readonly<Record<string, number>>;
  /** The serial number of the board, if there are several. */
  readonly serial?: string | undefined;
}

export const createHidRelayLink = ({ reports, outputs, serial }: HidRelayLinkOptions): RelayLink<HidFeatureReports> => {
  const queue = new BusRequestQueue();
  const read = async (board: HidFeatureReports): Promise<HidRelayState> => {
    const state = decodeHidRelayState(await board.get(0, HID_RELAY_REPORT_BYTES));
    if (state === null) throw new HidRelayError('The USB relay sends an unknown report');
    if (serial !== undefined && state.serial !== serial)
      throw new HidRelayError(`The USB relay has the serial number ${state.serial} instead of ${serial}`);
    return state;
  };
  return {
    request: (urgency, question) => queue.add(urgency, () => question(reports)),
    read: async board => {
      const { isOn } = await read(board);
      return output => isOn(outputs[output]!);
    },
    write: async (board, output, on) => {
      const relay = outputs[output]!;
      await read(board);
      await board.set(encodeHidRelayCommand(relay, on));
      // The board does not answer a command, but its state does.
      const { isOn } = await read(board);
      if (isOn(relay) !== on) throw new HidRelayError(`Relay ${relay} is still ${on ? 'off' : 'on'}`);
    },
    isBroken: error => error instanceof HidRelayError,
    isFailureOfOutput: () => true,
  };
};
