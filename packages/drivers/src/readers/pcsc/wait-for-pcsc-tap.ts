import type { PcscReaderUsbPortAndSerial } from './pcsc-reader-usb-identity.ts';
import type { PcscService, PcscSession } from './pcsc-session-and-service-interfaces.ts';

export interface PcscTap {
  /** The name of the reader in the PC/SC service. */
  readonly reader: string;
  /** Null if the reader is not on USB or does not tell where. */
  readonly place: PcscReaderUsbPortAndSerial | null;
}

export interface PendingPcscTap {
  /** Resolves when a card comes to any reader; null after `stop`. Rejects when the service ends. */
  readonly tap: Promise<PcscTap | null>;
  readonly stop: () => void;
}

/** Waits for a card at any reader, also at readers that no door uses. A card that lies on a reader does not count. */
export const startWaitingForPcscTap = async (service: PcscService): Promise<PendingPcscTap> => {
  const { promise, resolve, reject } = Promise.withResolvers<PcscTap | null>();
  const hasCard = new Map<string, boolean>();
  const places = new Map<string, Promise<PcscReaderUsbPortAndSerial | null>>();
  let session: PcscSession | null = null;
  const locate = (reader: string): Promise<PcscReaderUsbPortAndSerial | null> =>
    session?.locate(reader).catch(() => null) ?? Promise.resolve(null);
  const tapped = async (reader: string): Promise<void> => {
    const place = (await places.get(reader)) ?? (await locate(reader));
    resolve({ reader, place });
  };
  session = await service.open({
    changed: (reader, isPresent) => {
      const before = hasCard.get(reader);
      hasCard.set(reader, isPresent);
      // Before a card comes, because some readers do not tell their place while a card is in use.
      if (before === undefined && session !== null) places.set(reader, locate(reader));
      if (before === false && isPresent) void tapped(reader);
    },
    mute: () => undefined,
    unplugged: reader => {
      hasCard.delete(reader);
      places.delete(reader);
    },
    ended: reject,
  });
  for (const reader of hasCard.keys()) places.set(reader, locate(reader));
  return {
    tap: promise.finally(() => service.close()),
    stop: () => resolve(null),
  };
};
