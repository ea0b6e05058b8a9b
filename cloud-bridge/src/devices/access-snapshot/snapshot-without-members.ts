import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { GadgetTriggerRow } from '../../storage/schema.ts';
import { isGatewayDevice } from '../../resources/gateway-and-virtual-devices.ts';
import { collectRelevantMemberGroups } from './relevant-member-groups.ts';
import type { OrganizationWithoutMembers, ParsedDeviceRow, ParsedGadgetRow } from './organization-without-members.ts';

/**
 * Stands for every group that grants nothing at the controller. Keeps the association of a member with such a group,
 * because the denial reason differs between members without a group and members of other groups.
 */
export const OTHER_MEMBER_GROUPS_ID = 'mg_elsewhere';

/** The part of a controller's snapshot that is not members. */
export interface SnapshotWithoutMembers {
  readonly entries: readonly SnapshotEntry[];
  /** The groups whose members are in the snapshot. */
  readonly groups: ReadonlySet<string>;
}

interface RelatedObjects {
  readonly own: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly triggers: readonly GadgetTriggerRow[];
}

const idsOf = (gadgets: Iterable<ParsedGadgetRow>): string[] => Array.from(gadgets, ({ id }) => id);

const findRelatedObjects = (structure: OrganizationWithoutMembers, device: ParsedDeviceRow): RelatedObjects => {
  const own = new Set(idsOf(structure.gadgetsByDevice.get(device.id) ?? []));
  const ruleTargets = device.input_rules.map(rule => rule.gadget_id as string).filter(id => structure.gadgets.has(id));
  const triggers = structure.triggers.filter(
    ({ source_gadget_id, target_gadget_id }) =>
      structure.gadgets.has(target_gadget_id) &&
      (own.has(target_gadget_id) || (source_gadget_id !== null && own.has(source_gadget_id))),
  );
  return { own, targets: new Set([...own, ...ruleTargets]), triggers };
};

/** Other controllers that send requests to this one, or receive requests from it, because of a rule or a trigger. */
const peersOf = (structure: OrganizationWithoutMembers, device: ParsedDeviceRow, related: RelatedObjects): string[] => {
  const ownerOf = (gadgetId: string | null): string | undefined =>
    gadgetId === null ? undefined : structure.gadgets.get(gadgetId)?.device_id;
  const targetOwners = [...related.targets].map(ownerOf);
  const triggering = related.triggers.flatMap(trigger => [
    ownerOf(trigger.source_gadget_id),
    ownerOf(trigger.target_gadget_id),
  ]);
  const rulesOwners = [...related.own].flatMap(id => structure.devicesByTargetGadget.get(id) ?? []);
  const all = new Set([...targetOwners, ...triggering, ...rulesOwners].filter(id => id !== undefined));
  // A controller answers the requests of its peers, so an unconfirmed one could try PINs there.
  const isTrusted = (id: string): boolean => structure.peers.has(id) && !structure.unconfirmed.has(id);
  return [...all].filter(id => id !== device.id && isTrusted(id)).toSorted();
};

/** A gateway accepts all claimed devices of its site, with any of their valid certificates. */
const peerEntries = (
  structure: OrganizationWithoutMembers,
  device: ParsedDeviceRow,
  related: RelatedObjects,
): SnapshotEntry[] => {
  const { peers, devices, certificates } = structure;
  if (!isGatewayDevice(device)) {
    return peersOf(structure, device, related).map(id => ({ type: 'peer', id, ...peers.get(id) }));
  }
  const atSite = devices.values().filter(({ id, site_id }) => id !== device.id && site_id === device.site_id);
  return [...atSite]
    .filter(({ id }) => peers.has(id))
    .map(
      ({ id, name }) =>
        ({ type: 'peer', id, ...peers.get(id), name, certificates: certificates.get(id) ?? [] }) as SnapshotEntry,
    );
};

/** A gateway names the gadgets of its site to other systems. It gets no groups, members or schedules for them. */
const siteGadgets = ({ gadgets }: OrganizationWithoutMembers, device: ParsedDeviceRow): string[] =>
  isGatewayDevice(device) ? idsOf(gadgets.values().filter(({ site_id }) => site_id === device.site_id)) : [];

const gadgetEntry = (gadget: ParsedGadgetRow): SnapshotEntry => {
  const { id, site_id, device_id, name, created_at, actions, states, signals } = gadget;
  return { type: 'gadget', id, site_id, device_id, name, created_at, actions, states, signals } as SnapshotEntry;
};

const triggerEntry = ({
  organization_id: _,
  is_deleted: __,
  created_at: ___,
  metadata: ____,
  ...fields
}: GadgetTriggerRow) => ({ type: 'gadget_trigger', ...fields }) as SnapshotEntry;

const siteEntry = ({ sites }: OrganizationWithoutMembers, siteId: string): SnapshotEntry[] => {
  const site = sites.get(siteId);
  if (site === undefined) return [];
  const geo: unknown = site.geo === null ? null : JSON.parse(site.geo);
  return [{ type: 'site', id: site.id, name: site.name, timezone: site.timezone, geo } as SnapshotEntry];
};

/** Null for an unknown device. */
export const buildSnapshotWithoutMembers = (
  structure: OrganizationWithoutMembers,
  deviceId: string,
): SnapshotWithoutMembers | null => {
  const device = structure.devices.get(deviceId);
  if (device === undefined) return null;
  const related = findRelatedObjects(structure, device);
  const triggered = related.triggers.flatMap(({ source_gadget_id, target_gadget_id }) => [
    source_gadget_id,
    target_gadget_id,
  ]);
  const gadgetIds = new Set([...related.targets, ...triggered, ...siteGadgets(structure, device)]);
  const gadgets = [...gadgetIds].flatMap(id => structure.gadgets.get(id ?? '') ?? []);
  const isUnconfirmed = structure.unconfirmed.has(device.id);
  const groups = isUnconfirmed ? new Set<string>() : collectRelevantMemberGroups(structure, related.targets);
  const relevantGroups = [...groups].flatMap(id => structure.groups.get(id) ?? []);
  const schedules = new Set([
    ...relevantGroups.flatMap(({ permissions }) => permissions.flatMap(rule => rule.schedule_id ?? [])),
    ...related.triggers.flatMap(({ source_schedule_id }) => source_schedule_id ?? []),
  ]);
  const { id, site_id, name, input_rules } = device;
  const entries = [
    {
      type: 'device',
      id,
      site_id,
      name,
      input_rules,
      ...(isUnconfirmed ? { confirmation: 'waiting' } : {}),
    } as SnapshotEntry,
    ...peerEntries(structure, device, related),
    ...[...new Set([site_id, ...gadgets.map(gadget => gadget.site_id)])].flatMap(site => siteEntry(structure, site)),
    ...gadgets.map(gadgetEntry),
    ...[...schedules]
      .flatMap(schedule => structure.schedules.get(schedule) ?? [])
      .map(schedule => ({ type: 'schedule', id: schedule.id, weekdays: JSON.parse(schedule.weekdays) })),
    { type: 'member_group', id: OTHER_MEMBER_GROUPS_ID, permissions: [] } as SnapshotEntry,
    ...relevantGroups.map(group => ({ type: 'member_group', ...group })),
    ...related.triggers.map(triggerEntry),
  ];
  return { entries, groups };
};
