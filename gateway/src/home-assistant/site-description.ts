import type { DeviceId } from '@lintel/access-core/ids';
import type { SnapshotEntry, SnapshotEntryOf } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { GadgetDescription } from './discovery.ts';

export interface DescribedController {
  readonly id: DeviceId;
  readonly name: string;
  readonly gadgets: readonly GadgetDescription[];
}

export interface SiteDescription {
  readonly gatewayName: string;
  readonly controllers: readonly DescribedController[];
}

const isType =
  <T extends 'device' | 'peer' | 'gadget'>(type: T) =>
  (entry: SnapshotEntry): entry is SnapshotEntryOf<T> =>
    entry.type === type;

const describeGadget = ({ id, name, states }: SnapshotEntryOf<'gadget'>): GadgetDescription => ({
  id,
  name,
  states: states.map(state => state.id),
});

/** The gateway, the controllers and their gadgets, from the snapshot that the organization signed. */
export const describeSite = (entries: readonly SnapshotEntry[]): SiteDescription => {
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
