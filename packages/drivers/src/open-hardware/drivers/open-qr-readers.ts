import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { KeyboardQrReader } from '../../readers/qr/keyboard-qr-reader.ts';
import { SerialQrReader } from '../../readers/qr/serial-qr-reader.ts';
import { ReconnectingSerialLine } from '../../serial-line/reconnecting-serial-line.ts';
import { requireKeyboardPath } from '../keyboard-path.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';
import { requireSerialPath } from '../serial-path.ts';

export const openSerialQrReader = async (
  { port, baud_rate }: BusWithDriver<'qr-serial'>,
  { clock, name }: BusContext,
): Promise<OpenedBus> => {
  const line = new ReconnectingSerialLine({ path: requireSerialPath(port), baud_rate });
  const reader = new SerialQrReader({ line, clock });
  return { readers: new Map([[name, reader]]), close: () => reader.close() };
};

export const openKeyboardQrReader = async (
  { device }: BusWithDriver<'qr-keyboard'>,
  { clock, log, name }: BusContext,
): Promise<OpenedBus> => {
  const path = requireKeyboardPath(device);
  log('info', 'QR reader opened', { bus: name, path });
  const reader = new KeyboardQrReader({ path, clock });
  return { readers: new Map([[name, reader]]), close: async () => reader.close() };
};
