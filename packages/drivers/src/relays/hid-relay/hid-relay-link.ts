import type { HidFeatureReports } from '@lintel/service/linux/hidraw';
import { BusRequestQueue } from '../../request-queue/request-queue.ts';
import type { RelayLink } from '../confirmed-relays/relay-link-interface.ts';
import {
  decodeHidRelayState,
  encodeHidRelayCommand,
  HID_RELAY_REPORT_BYTES,
  type HidRelayState,
} from './hid-relay-report.ts';

/** The board responded, but the report is wrong. */
class HidRelayError extends Error {
  override readonly name = 'HidRelayError';
}

export interface HidRelayLinkOptions {
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
