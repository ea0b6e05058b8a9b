/*
 * USB relays with the ids 16c0:05df (V-USB): feature reports of 8 bytes after the report number 0. Read: serial number in
 * 5 characters, 2 unused bytes, one bit for each relay. Written: command and relay, counted from 1.
 */

export const HID_RELAY_REPORT_BYTES = 9;

const ON = 0xff;
const OFF = 0xfd;
const SERIAL_AT = 1;
const SERIAL_LENGTH = 5;
const STATE_AT = 8;

export const encodeHidRelayCommand = (relay: number, on: boolean): Buffer => {
  const report = Buffer.alloc(HID_RELAY_REPORT_BYTES);
  report[1] = on ? ON : OFF;
  report[2] = relay;
  return report;
};

export interface HidRelayState {
  readonly serial: string;
  readonly isOn: (relay: number) => boolean;
}

/** Null if it is not the report of such a board. */
export const decodeHidRelayState = (report: Buffer): HidRelayState | null => {
  const serial = report.subarray(SERIAL_AT, SERIAL_AT + SERIAL_LENGTH).toString('latin1');
  if (report.length !== HID_RELAY_REPORT_BYTES || !/^[\x21-\x7e]{5}$/.test(serial)) return null;
  const state = report[STATE_AT]!;
  return { serial, isOn: relay => ((state >> (relay - 1)) & 1) === 1 };
};
