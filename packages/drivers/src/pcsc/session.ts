import { pcscConstants } from '@lintel/pcsclite/constants';
import type { PcscLibraryCalls } from '@lintel/pcsclite/libpcsclite-calls';
import { encodeCommandApdu, parseResponseApdu, APDU_STATUS_OK } from '@lintel/wire-protocol/phone/apdu';
import { join } from 'node:path';
import { type DeviceFiles, readDeviceFileOrDefault, systemDeviceFiles } from '../device-files/device-files.ts';

/** Tells equal readers apart: the USB port, such as `1-1.2`, and the serial number of the reader. */
export interface PcscReaderUsbPortAndSerial {
  readonly usb_path: string;
  /** Null for readers without a serial number, such as the ACR122U. */
  readonly serial: string | null;
}

const CHANNEL_ID = 0x20110;
const USB_CHANNEL = 0x20;
const USB_DEVICES = '/sys/bus/usb/devices';

/** The USB device of a channel id: 0x0020, bus, device. Null for other connections. */
export const findPcscReaderUsbIdentity = (
  channel: Buffer,
  files: DeviceFiles = systemDeviceFiles,
): PcscReaderUsbPortAndSerial | null => {
  if (channel.length < 4 || channel.readUInt16LE(2) !== USB_CHANNEL) return null;
  const [device, bus] = channel;
  const read = (usb_path: string, file: string): string | null =>
    readDeviceFileOrDefault<string | null>(() => files.read(join(USB_DEVICES, usb_path, file)), null);
  const isReader = (name: string): boolean =>
    /^\d+-[\d.]+$/.test(name) && Number(read(name, 'busnum')) === bus && Number(read(name, 'devnum')) === device;
  const usb_path = readDeviceFileOrDefault(() => files.list(USB_DEVICES), []).find(isReader);
  return usb_path === undefined ? null : { usb_path, serial: read(usb_path, 'serial') };
};

/** Needs no card. Null if the reader is not on USB or does not tell where. */
export const readPcscReaderUsbIdentity = async (
  library: PcscLibraryCalls,
  reader: string,
): Promise<PcscReaderUsbPortAndSerial | null> => {
  const context = await library.openContext();
  try {
    const connection = await library.connect(context, reader, {
      shareMode: pcscConstants.SCARD_SHARE_DIRECT,
      protocols: pcscConstants.SCARD_PROTOCOL_UNSET,
    });
    const channel = await library.attribute(connection, CHANNEL_ID).catch(() => null);
    await library.disconnect(connection, pcscConstants.SCARD_LEAVE_CARD);
    return channel === null ? null : findPcscReaderUsbIdentity(channel);
  } finally {
    await library.closeContext(context).catch(() => undefined);
  }
};

/** A connected card. All methods reject if the card has left or the service is gone. */
export interface PcscCard {
  atr(): Promise<Uint8Array>;
  transmit(apdu: Uint8Array): Promise<Uint8Array>;
  release(): Promise<void>;
}

export interface PcscWatcher {
  /** Called for each new reader and for each change. */
  changed(reader: string, hasCard: boolean): void;
  /** A card is present but does not respond: too far away, or not supported. */
  mute(reader: string): void;
  unplugged(reader: string): void;
  /** The service is gone, and the session has ended. */
  ended(reason: Error): void;
}

export interface PcscSession {
  connect(reader: string): Promise<PcscCard>;
  /** Null if the reader is not on USB or does not tell where. */
  locate(reader: string): Promise<PcscReaderUsbPortAndSerial | null>;
  close(): void;
}

/** The service accepts requests but does not respond. */
export class PcscTimeoutError extends Error {
  override readonly name = 'PcscTimeoutError';
}

export interface PcscService {
  /**
   * Rejects while the service is not running or its library is missing; with PcscTimeoutError if it does not respond.
   */
  open(watcher: PcscWatcher): Promise<PcscSession>;
  /** Does not block. */
  close(): void;
}

/** PC/SC part 3, 3.2.2.1.3: GET DATA, answered by the reader itself. */
const GET_UID = encodeCommandApdu({ cla: 0xff, ins: 0xca, p1: 0x00, p2: 0x00, data: new Uint8Array() });

/** ACR122U: disables the beep on card detection; the door gives its own feedback. */
export const ACR122U_BUZZER_OFF_COMMAND = Uint8Array.of(0xff, 0x00, 0x52, 0x00, 0x00);

/** PC/SC part 3, 3.1.3.2.3: the historical bytes of a storage card begin with 80 4F and name its standard. */
const STORAGE_CARD = Uint8Array.of(0x80, 0x4f, 0x0c, 0xa0, 0x00, 0x00, 0x03, 0x06);
const HISTORICAL_BYTES = 4;

/** Storage cards do not support APDUs. */
export const isPcscStorageCard = (atr: Uint8Array): boolean =>
  STORAGE_CARD.every((byte, index) => atr[HISTORICAL_BYTES + index] === byte);

/** Null if the reader reports no uid: a contact card, or a refusal. Rejects if the card has left. */
export const readPcscCardUid = async (
  transmit: (apdu: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array | null> => {
  const response = parseResponseApdu(await transmit(GET_UID));
  return response?.status === APDU_STATUS_OK ? response.data : null;
};

/** Which reader a reader unit uses. Without any field: every reader that no other unit has chosen. */
export interface PcscReaderChoice {
  /** Part of the name of the reader. */
  readonly model?: string | undefined;
  readonly usb_path?: string | undefined;
  readonly serial?: string | undefined;
  /** A technician has to assign the reader first. It is no reader until then. */
  readonly isUnassigned?: boolean;
}

export const isAnyPcscReaderAllowed = ({ model, usb_path, serial, isUnassigned }: PcscReaderChoice): boolean =>
  model === undefined && usb_path === undefined && serial === undefined && isUnassigned !== true;

export const needsPcscReaderUsbIdentity = ({ usb_path, serial }: PcscReaderChoice): boolean =>
  usb_path !== undefined || serial !== undefined;

export const isChosenPcscReader = (
  choice: PcscReaderChoice,
  name: string,
  place: PcscReaderUsbPortAndSerial | null,
): boolean =>
  choice.isUnassigned !== true &&
  (choice.model === undefined || name.toLowerCase().includes(choice.model.toLowerCase())) &&
  (choice.usb_path === undefined || choice.usb_path === place?.usb_path) &&
  (choice.serial === undefined || choice.serial === place?.serial);
