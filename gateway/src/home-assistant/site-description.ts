import type { DeviceId } from '@lintel/access-core/ids';
import type { SnapshotEntry, SnapshotEntryOf } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { HomeAssistantGadgetDescription } from './mqtt-discovery-documents.ts';

export interface HomeAssistantSnapshotController {
  readonly id: DeviceId;
  readonly name: string;
  readonly gadgets: readonly HomeAssistantGadgetDescription[];
}

export interface HomeAssistantSiteDescription {
  readonly gatewayName: string;
  readonly controllers: readonly HomeAssistantSnapshotController[];
}

const isType =
  <T extends 'device' | 'peer' | 'gadget'>(type: T) =>
  (entry: SnapshotEntry): entry is SnapshotEntryOf<T> =>
    entry.type === type;

const describeGadget = ({ id, name, states }: SnapshotEntryOf<'gadget'>): HomeAssistantGadgetDescription => ({
  id,
  name,
  states: states.map(state => state.id),
});

/** The gateway, the controllers and their gadgets, from the snapshot that the organization signed. */
export const describeSiteForHomeAssistant = (entries: readonly SnapshotEntry[]): HomeAssistantSiteDescription => {
  const gadgets = Map.groupBy(entries.filter(isType('gadget')), ({ device_id }) => device_id);
  return {
    gatewayName: entries.find(isType('device'))?.name ?? 'Gateway',
    controllers: entries.filter(isType('peer')).map(({ id, name }) => ({
      id,
      name: name ?? id,
      gadgets: (gadgets.get(id) ?? []).map(describeGadget),
    })),
  };
};
