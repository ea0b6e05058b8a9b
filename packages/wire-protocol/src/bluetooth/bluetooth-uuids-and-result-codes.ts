/*
 * Doors over Bluetooth Low Energy. The controller is a peripheral with one service. A phone writes messages to one
 * characteristic and reads the responses from the other. `docs/reference/bluetooth-protocol.md` describes the bytes.
 */

export const BLUETOOTH_SERVICE_UUID = 'b1f40001-6a1d-4f0e-9c53-2a8d7e60c4b5';
/** Written by the phone. */
export const BLUETOOTH_REQUEST_UUID = 'b1f40002-6a1d-4f0e-9c53-2a8d7e60c4b5';
/** Read by the phone. Reads are answered to one phone, whereas a notification would reach all of them. */
export const BLUETOOTH_RESPONSE_UUID = 'b1f40003-6a1d-4f0e-9c53-2a8d7e60c4b5';

/** The manufacturer data of the advertisement carries the rotating identifier under this company id (none assigned). */
export const BLUETOOTH_COMPANY_ID = 0xffff;

export const BLUETOOTH_PROTOCOL_VERSION = 1;
export const BLUETOOTH_KEY_BYTES = 32;

/** For phones that cannot measure the signal, as most browsers. Any other value is in dBm. */
export const RSSI_UNKNOWN = 127;

/** How an exchange ended. Codes from 0x10 are sent before keys exist and are therefore not encrypted. */
export const bluetoothResultCodes = {
  granted: 0x00,
  denied: 0x01,
  too_far: 0x02,
  too_slow: 0x03,
  wrong_proof: 0x04,
  door_fault: 0x05,
  malformed: 0x10,
  unsupported_version: 0x11,
  busy: 0x12,
  rate_limited: 0x13,
  not_ready: 0x14,
} as const;
export type BluetoothResultName = keyof typeof bluetoothResultCodes;
const LAST_SEALED_CODE = 0x0f;

const resultByCode = new Map(
  Object.entries(bluetoothResultCodes).map(([result, code]) => [code as number, result as BluetoothResultName]),
);
export const parseBluetoothResult = (code: number): BluetoothResultName | null => resultByCode.get(code) ?? null;

/** Results of a phone whose keys are agreed. */
export const isEncryptedBluetoothResult = (result: BluetoothResultName): boolean =>
  bluetoothResultCodes[result] <= LAST_SEALED_CODE;
