import type { Gadget, PermissionRule, Schedule, Site } from '../access-model.ts';
import type { GadgetId, ScheduleId } from '../ids.ts';
import type { AccessWorld } from '../permission/access-world.ts';
import { type NotFound, notFound } from '../permission/decision.ts';
import { type CompiledSchedule, compileSchedule } from '../schedule.ts';
import { type Zone, zoneFor } from '../time-zone.ts';
import { type CompiledRule, compileRules } from './compiled-rules.ts';
import type { GroupDirectory } from './group-directory.ts';

/** In place of a list: the group is deleted or missing. Told apart by identity, which costs nothing at the door. */
export const GROUP_GONE: readonly CompiledRule[] = Object.freeze([]);
/** In place of a list: the rules are too many to list, ask the plain calculation. */
export const TOO_MANY: readonly CompiledRule[] = Object.freeze([]);

/** One action of one gadget, and what each group may do there, compiled when first asked. */
export interface Door {
  readonly gadget: Gadget;
  readonly actionId: string;
  readonly site: Site;
  readonly zone: Zone | null;
  /** By the group's number. */
  readonly rulesByGroup: (readonly CompiledRule[] | undefined)[];
}

/** Lists in memory at once; beyond that all are forgotten and compiled again as they are asked for. */
const MOST_LISTS = 500_000;

/** Everything here follows from sites, gadgets, schedules and groups. When one of them changes, all is forgotten. */
export class CompiledDoors {
  readonly #world: AccessWorld;
  readonly #groups: GroupDirectory;
  readonly #doors = new Map<GadgetId, Door[]>();
  readonly #schedules = new Map<ScheduleId, CompiledSchedule>();
  #lists = 0;

  constructor(world: AccessWorld, groups: GroupDirectory) {
    this.#world = world;
    this.#groups = groups;
  }

  forget(): void {
    this.#doors.clear();
    this.#schedules.clear();
    this.#lists = 0;
  }

  /** Null when there is no such door; `missing` says why. */
  find(gadgetId: GadgetId, actionId: string): Door | null {
    const doors = this.#doors.get(gadgetId);
    if (doors !== undefined) for (const door of doors) if (door.actionId === actionId) return door;
    return this.#open(gadgetId, actionId);
  }

  missing(gadgetId: GadgetId): NotFound {
    return this.#living(gadgetId) === null ? notFound.gadget : notFound.action;
  }

  #living(gadgetId: GadgetId): { readonly gadget: Gadget; readonly site: Site } | null {
    const gadget = this.#world.gadget(gadgetId);
    if (gadget === undefined || gadget.is_deleted) return null;
    const site = this.#world.site(gadget.site_id);
    return site === undefined || site.is_deleted ? null : { gadget, site };
  }

  #open(gadgetId: GadgetId, actionId: string): Door | null {
    const living = this.#living(gadgetId);
    if (living === null || !living.gadget.action_ids.includes(actionId)) return null;
    const zone = zoneFor(living.site.timezone);
    const door: Door = { ...living, actionId, zone: zone.ok ? zone.value : null, rulesByGroup: [] };
    const doors = this.#doors.get(gadgetId);
    if (doors === undefined) this.#doors.set(gadgetId, [door]);
    else doors.push(door);
    return door;
  }

  #compiled(schedule: Schedule): CompiledSchedule {
    const known = this.#schedules.get(schedule.id);
    if (known !== undefined) return known;
    const compiled = compileSchedule(schedule.weekdays);
    this.#schedules.set(schedule.id, compiled);
    return compiled;
  }

  rules(door: Door, group: number): readonly CompiledRule[] {
    return door.rulesByGroup[group] ?? this.#compileFor(door, group);
  }

  #compileFor(door: Door, group: number): readonly CompiledRule[] {
    const scheduleOf = (rule: PermissionRule): CompiledSchedule | null => {
      const schedule = rule.schedule_id == null ? undefined : this.#world.schedule(rule.schedule_id);
      return schedule === undefined ? null : this.#compiled(schedule);
    };
    const living = this.#groups.living(group);
    const rules =
      living === undefined
        ? GROUP_GONE
        : (compileRules(this.#world, living.id, door.gadget, door.actionId, scheduleOf) ?? TOO_MANY);
    if (this.#lists++ === MOST_LISTS) this.forget();
    door.rulesByGroup[group] = rules;
    return rules;
  }
}
