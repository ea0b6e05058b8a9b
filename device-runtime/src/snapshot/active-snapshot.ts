import { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { DeviceId, GadgetId } from '@lintel/access-core/ids';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { parseInputRules } from '@lintel/access-core/input-rules';
import { zoneFor } from '@lintel/access-core/time-zone';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import type { KnownSliceEntry, SliceEntry, SliceEntryOf, SliceKey } from '@lintel/wire-protocol/mqtt/slice-entry';
import {
  readGadget,
  readGadgetTrigger,
  readMember,
  readMemberGroup,
  readSchedule,
  readSite,
} from '@lintel/wire-protocol/mqtt/slice-reading';
import type { SnapshotChanges } from './snapshot-store-port.ts';

export type GadgetEntry = SliceEntryOf<'gadget'>;

type Handlers = { readonly [T in KnownSliceEntry['type']]: (entry: SliceEntryOf<T>) => void };
type Droppers = { readonly [T in KnownSliceEntry['type']]: (id: string) => void };

const noRules = compileInputRules([]);
/** Nothing that is typed or shown leads anywhere. */
const brokenRules: CompiledInputRules = { rules: [], fallback: null, steps: new Map() };

/** Fields of a newer bridge are no reason to lose the rules; codes that stand in one another's way are. */
const readRules = ({ input_rules }: SliceEntryOf<'device'>): CompiledInputRules => {
  const known = input_rules.map(({ code, gadget_id, action_id }) => ({ code, gadget_id, action_id }));
  const parsed = parseInputRules(known);
  return parsed.ok ? compileInputRules(parsed.value) : brokenRules;
};

const byCreation = (a: GadgetEntry, b: GadgetEntry): number =>
  a.created_at - b.created_at || (a.id < b.id ? -1 : Number(a.id > b.id));

/** The snapshot in memory, ready to decide. */
export class ActiveSnapshot {
  readonly index = new AccessIndex({ sites: [], gadgets: [], schedules: [], member_groups: [], members: [] });
  readonly #gadgets = new Map<string, GadgetEntry>();
  readonly #triggers = new Map<string, GadgetTrigger>();
  readonly #peers = new Map<string, SliceEntryOf<'peer'>>();
  readonly #siteNames = new Map<string, string>();
  #device: SliceEntryOf<'device'> | null = null;
  #rules: CompiledInputRules = noRules;
  #ownGadgets: readonly GadgetEntry[] | null = null;

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
      this.#siteNames.set(entry.id, entry.name);
      // Its table takes a moment to make: not while the first person of the day waits.
      zoneFor(entry.timezone);
      this.index.apply({ type: 'site', put: readSite(entry) });
    },
    gadget: entry => {
      this.#gadgets.set(entry.id, entry);
      this.#ownGadgets = null;
      this.index.apply({ type: 'gadget', put: readGadget(entry) });
    },
    schedule: entry => {
      const put = readSchedule(entry);
      this.index.apply(put === null ? { type: 'schedule', remove: entry.id } : { type: 'schedule', put });
    },
    member_group: entry => this.index.apply({ type: 'member_group', put: readMemberGroup(entry) }),
    gadget_trigger: entry => {
      const trigger = readGadgetTrigger(entry);
      if (trigger === null) this.#triggers.delete(entry.id);
      else this.#triggers.set(entry.id, trigger);
    },
    member: entry => this.index.apply({ type: 'member', put: readMember(entry) }),
  };

  readonly #drop: Droppers = {
    device: id => {
      // Claimed anew it is another device, and that one is here already.
      if (this.#device?.id !== id) return;
      this.#device = null;
      this.#rules = noRules;
      this.#ownGadgets = null;
    },
    peer: id => {
      this.#peers.delete(id);
    },
    site: id => {
      this.#siteNames.delete(id);
      this.index.apply({ type: 'site', remove: id as SliceEntryOf<'site'>['id'] });
    },
    gadget: id => {
      this.#gadgets.delete(id);
      this.#ownGadgets = null;
      this.index.apply({ type: 'gadget', remove: id as GadgetId });
    },
    schedule: id => this.index.apply({ type: 'schedule', remove: id as SliceEntryOf<'schedule'>['id'] }),
    member_group: id => this.index.apply({ type: 'member_group', remove: id as SliceEntryOf<'member_group'>['id'] }),
    gadget_trigger: id => {
      this.#triggers.delete(id);
    },
    member: id => this.index.apply({ type: 'member', remove: id as SliceEntryOf<'member'>['id'] }),
  };

  /** A type that a newer bridge knows and this firmware does not is kept on disk and means nothing here. */
  put(entry: SliceEntry): void {
    const handler = Object.hasOwn(this.#put, entry.type) ? this.#put[entry.type as KnownSliceEntry['type']] : undefined;
    (handler as ((entry: SliceEntry) => void) | undefined)?.(entry);
  }

  drop({ type, id }: SliceKey): void {
    if (Object.hasOwn(this.#drop, type)) this.#drop[type as KnownSliceEntry['type']](id);
  }

  apply({ put, drop }: SnapshotChanges): void {
    for (const entry of put) this.put(entry);
    for (const key of drop) this.drop(key);
  }

  get deviceId(): DeviceId | null {
    return this.#device?.id ?? null;
  }

  get deviceName(): string | null {
    return this.#device?.name ?? null;
  }

  get siteName(): string | null {
    return this.#siteNames.get(this.#device?.site_id ?? '') ?? null;
  }

  get siteId(): SliceEntryOf<'site'>['id'] | null {
    return this.#device?.site_id ?? null;
  }

  get rules(): CompiledInputRules {
    return this.#rules;
  }

  gadget(id: string): GadgetEntry | undefined {
    return this.#gadgets.get(id);
  }

  get knownGadgets(): readonly GadgetEntry[] {
    return [...this.#gadgets.values()].sort(byCreation);
  }

  /** Those that hang on this device, the first one first. */
  get ownGadgets(): readonly GadgetEntry[] {
    this.#ownGadgets ??= [...this.#gadgets.values()]
      .filter(({ device_id }) => device_id === this.deviceId)
      .sort(byCreation);
    return this.#ownGadgets;
  }

  isOwn(id: string): boolean {
    const gadget = this.#gadgets.get(id);
    return gadget !== undefined && gadget.device_id === this.deviceId;
  }

  /** A gadget of ours that can do this. */
  hasAction(gadgetId: string, actionId: string): boolean {
    return this.isOwn(gadgetId) && this.#gadgets.get(gadgetId)!.actions.some(({ id }) => id === actionId);
  }

  /** Another controller that this one has to do with. */
  peer(id: string): SliceEntryOf<'peer'> | undefined {
    return this.#peers.get(id);
  }

  get peers(): readonly SliceEntryOf<'peer'>[] {
    return [...this.#peers.values()];
  }

  /** A trigger whose source hangs on that device, and that does this. */
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
