import type { Gadget, PermissionRule, Schedule, Site } from '../access-data-types.ts';
import type { GadgetId, ScheduleId } from '../ids.ts';
import type { AccessDataSource } from '../permission/access-data-source-interface.ts';
import { type NotFoundDecision, notFoundDecisions } from '../permission/decision-types.ts';
import { type CompiledSchedule, compileSchedule } from '../schedule.ts';
import { type TimeZone, resolveTimeZone } from '../time-zone.ts';
import { type CompiledPermissionRule, compilePermissionRules } from './compiled-permission-rules.ts';
import type { MemberGroupNumbers } from './member-group-numbers.ts';

/** Placeholder for a list: the group is deleted or missing. Compared by identity, which is fast. */
export const MISSING_GROUP_PERMISSION_RULES: readonly CompiledPermissionRule[] = Object.freeze([]);
/** Placeholder for a list: there are too many rules to compile, so `decidePermission` must be used. */
export const TOO_MANY_PERMISSION_RULES: readonly CompiledPermissionRule[] = Object.freeze([]);

/** One action of one gadget, with the rules of each group, compiled on first use. */
export interface CompiledGadgetAction {
  readonly gadget: Gadget;
  readonly actionId: string;
  readonly site: Site;
  readonly zone: TimeZone | null;
  /** By group number. */
  readonly rulesByGroup: (readonly CompiledPermissionRule[] | undefined)[];
}

/** Maximum number of lists in memory; beyond that, all are dropped and compiled again on demand. */
const MOST_LISTS = 500_000;

/** Cache derived from sites, gadgets, schedules and groups. Dropped when one of them changes. */
export class CompiledGadgetActions {
  readonly #world: AccessDataSource;
  readonly #groups: MemberGroupNumbers;
  readonly #doors = new Map<GadgetId, CompiledGadgetAction[]>();
  readonly #schedules = new Map<ScheduleId, CompiledSchedule>();
  #lists = 0;

  constructor(world: AccessDataSource, groups: MemberGroupNumbers) {
    this.#world = world;
    this.#groups = groups;
  }

  forget(): void {
    this.#doors.clear();
    this.#schedules.clear();
    this.#lists = 0;
  }

  /** Null if the gadget or action does not exist; `missing` returns which. */
  find(gadgetId: GadgetId, actionId: string): CompiledGadgetAction | null {
    const doors = this.#doors.get(gadgetId);
    if (doors !== undefined) for (const door of doors) if (door.actionId === actionId) return door;
    return this.#open(gadgetId, actionId);
  }

  missing(gadgetId: GadgetId): NotFoundDecision {
    return this.#living(gadgetId) === null ? notFoundDecisions.gadget : notFoundDecisions.action;
  }

  #living(gadgetId: GadgetId): { readonly gadget: Gadget; readonly site: Site } | null {
    const gadget = this.#world.gadget(gadgetId);
    if (gadget === undefined || gadget.is_deleted) return null;
    const site = this.#world.site(gadget.site_id);
    return site === undefined || site.is_deleted ? null : { gadget, site };
  }

  #open(gadgetId: GadgetId, actionId: string): CompiledGadgetAction | null {
    const living = this.#living(gadgetId);
    if (living === null || !living.gadget.action_ids.includes(actionId)) return null;
    const zone = resolveTimeZone(living.site.timezone);
    const door: CompiledGadgetAction = { ...living, actionId, zone: zone.ok ? zone.value : null, rulesByGroup: [] };
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

  rules(door: CompiledGadgetAction, group: number): readonly CompiledPermissionRule[] {
    return door.rulesByGroup[group] ?? this.#compileFor(door, group);
  }

  #compileFor(door: CompiledGadgetAction, group: number): readonly CompiledPermissionRule[] {
    const scheduleOf = (rule: PermissionRule): CompiledSchedule | null => {
      const schedule = rule.schedule_id == null ? undefined : this.#world.schedule(rule.schedule_id);
      return schedule === undefined ? null : this.#compiled(schedule);
    };
    const living = this.#groups.living(group);
    const rules =
      living === undefined
        ? MISSING_GROUP_PERMISSION_RULES
        : (compilePermissionRules(this.#world, living.id, door.gadget, door.actionId, scheduleOf) ??
          TOO_MANY_PERMISSION_RULES);
    if (this.#lists++ === MOST_LISTS) this.forget();
    door.rulesByGroup[group] = rules;
    return rules;
  }
}
