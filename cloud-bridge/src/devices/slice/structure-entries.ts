import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import type { GadgetTriggerRow } from '../../storage/schema.ts';
import { relevantGroups } from './relevant-groups.ts';
import type { Structure, StructureDevice, StructureGadget } from './structure.ts';

/**
 * Stands for every group that opens nothing here. A member's association with one of those still counts when the door
 * says why it stays closed: having no group at all is another reason than having the wrong one.
 */
export const GROUP_ELSEWHERE = 'mg_elsewhere';

/** What one controller holds beside members. */
export interface DeviceStructure {
  readonly entries: readonly SliceEntry[];
  /** The groups whose members it holds. */
  readonly groups: ReadonlySet<string>;
}

interface Neighbourhood {
  readonly own: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly triggers: readonly GadgetTriggerRow[];
}

const idsOf = (gadgets: Iterable<StructureGadget>): string[] => Array.from(gadgets, ({ id }) => id);

const neighbourhoodOf = (structure: Structure, device: StructureDevice): Neighbourhood => {
  const own = new Set(idsOf(structure.gadgetsOf.get(device.id) ?? []));
  const pointed = device.input_rules.map(rule => rule.gadget_id as string).filter(id => structure.gadgets.has(id));
  const triggers = structure.triggers.filter(
    ({ source_gadget_id, target_gadget_id }) =>
      structure.gadgets.has(target_gadget_id) &&
      (own.has(target_gadget_id) || (source_gadget_id !== null && own.has(source_gadget_id))),
  );
  return { own, targets: new Set([...own, ...pointed]), triggers };
};

/** Other controllers that ask this one, or that this one asks, for a rule or a trigger. */
const peersOf = (structure: Structure, device: StructureDevice, near: Neighbourhood): string[] => {
  const ownerOf = (gadgetId: string | null): string | undefined =>
    gadgetId === null ? undefined : structure.gadgets.get(gadgetId)?.device_id;
  const asked = [...near.targets].map(ownerOf);
  const triggering = near.triggers.flatMap(trigger => [
    ownerOf(trigger.source_gadget_id),
    ownerOf(trigger.target_gadget_id),
  ]);
  const asking = [...near.own].flatMap(id => structure.askersOf.get(id) ?? []);
  const all = new Set([...asked, ...triggering, ...asking].filter(id => id !== undefined));
  return [...all].filter(id => id !== device.id && structure.peers.has(id)).toSorted();
};

const GATEWAY_PRODUCT = 'gateway';

/** A gateway lets in the claimed devices of its site, with whichever of their certificates they show, and nobody else. */
const peerEntries = (structure: Structure, device: StructureDevice, near: Neighbourhood): SliceEntry[] => {
  const { peers, devices, certificates } = structure;
  if (device.product_id !== GATEWAY_PRODUCT) {
    return peersOf(structure, device, near).map(id => ({ type: 'peer', id, ...peers.get(id) }));
  }
  const atSite = devices.values().filter(({ id, site_id }) => id !== device.id && site_id === device.site_id);
  return [...atSite]
    .filter(({ id }) => peers.has(id))
    .map(
      ({ id, name }) =>
        ({ type: 'peer', id, ...peers.get(id), name, certificates: certificates.get(id) ?? [] }) as SliceEntry,
    );
};

const gadgetEntry = (gadget: StructureGadget): SliceEntry => {
  const { id, site_id, device_id, name, created_at, actions, states, signals } = gadget;
  return { type: 'gadget', id, site_id, device_id, name, created_at, actions, states, signals } as SliceEntry;
};

const triggerEntry = ({
  organization_id: _,
  is_deleted: __,
  created_at: ___,
  metadata: ____,
  ...told
}: GadgetTriggerRow) => ({ type: 'gadget_trigger', ...told }) as SliceEntry;

const siteEntry = ({ sites }: Structure, siteId: string): SliceEntry[] => {
  const site = sites.get(siteId);
  if (site === undefined) return [];
  const geo: unknown = site.geo === null ? null : JSON.parse(site.geo);
  return [{ type: 'site', id: site.id, name: site.name, timezone: site.timezone, geo } as SliceEntry];
};

/** All but members. Null for a device that is not there. */
export const deviceStructure = (structure: Structure, deviceId: string): DeviceStructure | null => {
  const device = structure.devices.get(deviceId);
  if (device === undefined) return null;
  const near = neighbourhoodOf(structure, device);
  const triggered = near.triggers.flatMap(({ source_gadget_id, target_gadget_id }) => [
    source_gadget_id,
    target_gadget_id,
  ]);
  const gadgets = [...new Set([...near.targets, ...triggered])].flatMap(id => structure.gadgets.get(id ?? '') ?? []);
  const groups = relevantGroups(structure, near.targets);
  const held = [...groups].flatMap(id => structure.groups.get(id) ?? []);
  const schedules = new Set([
    ...held.flatMap(({ permissions }) => permissions.flatMap(rule => rule.schedule_id ?? [])),
    ...near.triggers.flatMap(({ source_schedule_id }) => source_schedule_id ?? []),
  ]);
  const { id, site_id, name, input_rules } = device;
  const entries = [
    { type: 'device', id, site_id, name, input_rules } as SliceEntry,
    ...peerEntries(structure, device, near),
    ...[...new Set([site_id, ...gadgets.map(gadget => gadget.site_id)])].flatMap(site => siteEntry(structure, site)),
    ...gadgets.map(gadgetEntry),
    ...[...schedules]
      .flatMap(schedule => structure.schedules.get(schedule) ?? [])
      .map(schedule => ({ type: 'schedule', id: schedule.id, weekdays: JSON.parse(schedule.weekdays) })),
    { type: 'member_group', id: GROUP_ELSEWHERE, permissions: [] } as SliceEntry,
    ...held.map(group => ({ type: 'member_group', ...group })),
    ...near.triggers.map(triggerEntry),
  ];
  return { entries, groups };
};
