import { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { MemberImageSection } from '@lintel/access-core/access-index/member-image';
import type { DeviceId, GadgetId } from '@lintel/access-core/ids';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { parseInputRules } from '@lintel/access-core/input-rules';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import type {
  SnapshotEntryOfKnownType,
  SnapshotEntry,
  SnapshotEntryOf,
  SnapshotEntryKey,
  SnapshotGadgetEntry,
} from '@lintel/wire-protocol/mqtt/snapshot-entry';
import {
  convertSnapshotGadgetEntry,
  convertSnapshotGadgetTriggerEntry,
  convertSnapshotMemberEntry,
  convertSnapshotMemberGroupEntry,
  convertSnapshotScheduleEntry,
  convertSnapshotSiteEntry,
} from '@lintel/wire-protocol/mqtt/convert-snapshot-entry';
import type { SnapshotChanges } from './snapshot-store-interface.ts';

type Handlers = { readonly [T in SnapshotEntryOfKnownType['type']]: (entry: SnapshotEntryOf<T>) => void };
type Droppers = { readonly [T in SnapshotEntryOfKnownType['type']]: (id: string) => void };

const noRules = compileInputRules([]);
/** Matches no code and no credential. */
const brokenRules: CompiledInputRules = { rules: [], fallback: null, steps: new Map() };

/** Ignores unknown fields of a newer bridge. Conflicting codes disable all rules. */
const readRules = ({ input_rules }: SnapshotEntryOf<'device'>): CompiledInputRules => {
  const known = input_rules.map(({ code, gadget_id, action_id }) => ({ code, gadget_id, action_id }));
  const parsed = parseInputRules(known);
  return parsed.ok ? compileInputRules(parsed.value) : brokenRules;
};

const byCreation = (a: SnapshotGadgetEntry, b: SnapshotGadgetEntry): number =>
  a.created_at - b.created_at || (a.id < b.id ? -1 : Number(a.id > b.id));

/** The snapshot in memory, indexed for access decisions. */
export class ActiveSnapshot {
  readonly index = new AccessIndex({ sites: [], gadgets: [], schedules: [], member_groups: [], members: [] });
  readonly #gadgets = new Map<string, SnapshotGadgetEntry>();
  readonly #triggers = new Map<string, GadgetTrigger>();
  readonly #peers = new Map<string, SnapshotEntryOf<'peer'>>();
  readonly #sites = new Map<string, SnapshotEntryOf<'site'>>();
  #device: SnapshotEntryOf<'device'> | null = null;
  #rules: CompiledInputRules = noRules;
  #ownGadgets: readonly SnapshotGadgetEntry[] | null = null;

  readonly #put: Handlers = {
    device: entry => {
      this.#device = entry;
      this.#rules = readRules(entry);
      this.#ownGadgets = null;
    },
    peer: entry => {
      this.#peers.set(entry.id, entry);
    },
    site: entry => {
      this.#sites.set(entry.id, entry);
      // Compiled now, because the first decision must not wait for it.
      resolveTimeZone(entry.timezone);
      this.index.apply({ type: 'site', put: convertSnapshotSiteEntry(entry) });
    },
    gadget: entry => {
      this.#gadgets.set(entry.id, entry);
      this.#ownGadgets = null;
      this.index.apply({ type: 'gadget', put: convertSnapshotGadgetEntry(entry) });
    },
    schedule: entry => {
      const put = convertSnapshotScheduleEntry(entry);
      this.index.apply(put === null ? { type: 'schedule', remove: entry.id } : { type: 'schedule', put });
    },
    member_group: entry => this.index.apply({ type: 'member_group', put: convertSnapshotMemberGroupEntry(entry) }),
    gadget_trigger: entry => {
      const trigger = convertSnapshotGadgetTriggerEntry(entry);
      if (trigger === null) this.#triggers.delete(entry.id);
      else this.#triggers.set(entry.id, trigger);
    },
    member: entry => this.index.apply({ type: 'member', put: convertSnapshotMemberEntry(entry) }),
  };

  readonly #drop: Droppers = {
    device: id => {
      // After a new claim the entry of the new device is already present.
      if (this.#device?.id !== id) return;
      this.#device = null;
      this.#rules = noRules;
      this.#ownGadgets = null;
    },
    peer: id => {
      this.#peers.delete(id);
    },
    site: id => {
      this.#sites.delete(id);
      this.index.apply({ type: 'site', remove: id as SnapshotEntryOf<'site'>['id'] });
    },
    gadget: id => {
      this.#gadgets.delete(id);
      this.#ownGadgets = null;
      this.index.apply({ type: 'gadget', remove: id as GadgetId });
    },
    schedule: id => this.index.apply({ type: 'schedule', remove: id as SnapshotEntryOf<'schedule'>['id'] }),
    member_group: id => this.index.apply({ type: 'member_group', remove: id as SnapshotEntryOf<'member_group'>['id'] }),
    gadget_trigger: id => {
      this.#triggers.delete(id);
    },
    member: id => this.index.apply({ type: 'member', remove: id as SnapshotEntryOf<'member'>['id'] }),
  };

  /** Before the first entry. */
  importMembers(sections: Iterable<MemberImageSection>): void {
    this.index.importMembers(sections);
  }

  /** Ignores unknown types of a newer bridge; they stay on disk. */
  put(entry: SnapshotEntry): void {
    const handler = Object.hasOwn(this.#put, entry.type)
      ? this.#put[entry.type as SnapshotEntryOfKnownType['type']]
      : undefined;
    (handler as ((entry: SnapshotEntry) => void) | undefined)?.(entry);
  }

  drop({ type, id }: SnapshotEntryKey): void {
    if (Object.hasOwn(this.#drop, type)) this.#drop[type as SnapshotEntryOfKnownType['type']](id);
  }

  apply({ put, drop }: SnapshotChanges): void {
    for (const entry of put) this.put(entry);
    for (const key of drop) this.drop(key);
  }

  /** This device, its site and its gadgets, without anything that grants access. */
  get doorStructure(): readonly SnapshotEntry[] {
    const site = this.#sites.get(this.#device?.site_id ?? '');
    return [this.#device, site, ...this.ownGadgets].filter(entry => entry != null);
  }

  get deviceId(): DeviceId | null {
    return this.#device?.id ?? null;
  }

  get deviceName(): string | null {
    return this.#device?.name ?? null;
  }

  /** The bridge sends no members until an administrator has confirmed this controller. */
  get waitsForConfirmation(): boolean {
    return this.#device?.confirmation === 'waiting';
  }

  /** Null without a zone. */
  get siteTimeZone(): string | null {
    return this.#sites.get(this.#device?.site_id ?? '')?.timezone ?? null;
  }

  get siteName(): string | null {
    return this.#sites.get(this.#device?.site_id ?? '')?.name ?? null;
  }

  get siteId(): SnapshotEntryOf<'site'>['id'] | null {
    return this.#device?.site_id ?? null;
  }

  get rules(): CompiledInputRules {
    return this.#rules;
  }

  gadget(id: string): SnapshotGadgetEntry | undefined {
    return this.#gadgets.get(id);
  }

  get knownGadgets(): readonly SnapshotGadgetEntry[] {
    return [...this.#gadgets.values()].sort(byCreation);
  }

  /** Gadgets of this device, the oldest first. */
  get ownGadgets(): readonly SnapshotGadgetEntry[] {
    this.#ownGadgets ??= [...this.#gadgets.values()]
      .filter(({ device_id }) => device_id === this.deviceId)
      .sort(byCreation);
    return this.#ownGadgets;
  }

  isOwn(id: string): boolean {
    const gadget = this.#gadgets.get(id);
    return gadget !== undefined && gadget.device_id === this.deviceId;
  }

  /** Whether a gadget of this device has this action. */
  hasAction(gadgetId: string, actionId: string): boolean {
    return this.isOwn(gadgetId) && this.#gadgets.get(gadgetId)!.actions.some(({ id }) => id === actionId);
  }

  /** Another controller of the site. */
  peer(id: string): SnapshotEntryOf<'peer'> | undefined {
    return this.#peers.get(id);
  }

  get peers(): readonly SnapshotEntryOf<'peer'>[] {
    return [...this.#peers.values()];
  }

  /** Whether the trigger has its source on that device and this target. */
  isTriggerOf(device: DeviceId, triggerId: string, target: { readonly gadget_id: string; readonly action_id: string }) {
    const trigger = this.#triggers.get(triggerId);
    if (trigger === undefined || trigger.source_gadget_id === null) return false;
    const isTarget = trigger.target_gadget_id === target.gadget_id && trigger.target_action_id === target.action_id;
    return isTarget && this.#gadgets.get(trigger.source_gadget_id)?.device_id === device;
  }

  get triggers(): Iterable<GadgetTrigger> {
    return this.#triggers.values();
  }
}
