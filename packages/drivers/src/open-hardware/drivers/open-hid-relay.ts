import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { type HidFeatureReports, openHidFeatureReports } from '@lintel/service/linux/hidraw';
import { ConfirmedRelays } from '../../relays/confirmed-relays/confirmed-relays.ts';
import { createHidRelayLink } from '../../relays/hid-relay/hid-relay-link.ts';
import { requireHidRelayPath } from '../hid-relay-path.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

export const openHidRelay = async (
  { usb_path, serial, outputs }: BusWithDriver<'hid-relay'>,
  { clock }: BusContext,
  reports: HidFeatureReports = openHidFeatureReports(() => requireHidRelayPath(usb_path)),
): Promise<OpenedBus> => {
  const relays = Object.fromEntries(Object.entries(outputs).map(([name, { relay }]) => [name, relay]));
  const link = createHidRelayLink({ reports, outputs: relays, serial });
  const board = new ConfirmedRelays({ clock, outputs: Object.keys(relays), link });
  return { outputs: board, close: () => board.close() };
};
