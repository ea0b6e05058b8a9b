import { join } from 'node:path';
import type { PcscLibraryCalls } from '@lintel/pcsclite/libpcsclite-calls';
import { pcscConstants } from '@lintel/pcsclite/constants';
import { type DeviceFiles, readDeviceFileOrDefault, systemDeviceFiles } from '../../device-files/device-files.ts';

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
