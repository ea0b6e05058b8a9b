import type { AuditEntryResponse } from '@lintel/wire-protocol/admin/audit-entry';
import type { WeeklyTimeRanges } from '@lintel/access-core/schedule';
import { describePermissionRule } from '../access/describe-permission-rule.ts';
import type { MemberGroupPermission } from '../access/member-group-access.ts';
import { mergeNeighboringPermissionRules } from '../access/permission-rule-draft.ts';
import type { AdminMessages } from '../messages/en.ts';
import { namePart, type PartKind } from '../messages/name-gadget-parts.ts';
import { createTimeOfDayFormat, describeWeekRanges, toWeekRanges } from '../schedules/week-ranges.ts';

export interface ChangeContext {
  readonly messages: AdminMessages;
  readonly locale: string;
  /** `18 Nov 2026, 11:00`, in the time zone of the site. */
  readonly formatTime: (iso: string) => string;
  /** For the names of actions. */
  readonly doors: readonly { readonly id: string; readonly name: string; readonly actions: readonly Named[] }[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

interface InputRule {
  readonly code: string;
  readonly gadget_id: string;
  readonly action_id: string;
}

interface ScheduleException {
  readonly date: string;
  readonly name: string;
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

type Entry = Pick<AuditEntryResponse, 'changes' | 'names' | 'verb'>;

const partKinds = ['actions', 'states', 'signals'] as const;
const times: ReadonlySet<string> = new Set(['starts_at', 'ends_at']);

/** Lines such as `Until: 21 Nov 2026, 11:00 → 19 Nov 2026, 8:58`. */
class ChangeDescriber {
  readonly #entry: Entry;
  readonly #context: ChangeContext;

  constructor(entry: Entry, context: ChangeContext) {
    this.#entry = entry;
    this.#context = context;
  }

  list(): readonly string[] {
    return Object.entries(this.#entry.changes ?? {}).flatMap(([field, [before, after]]) =>
      this.#field(field, before, after),
    );
  }

  get #texts() {
    return this.#context.messages.audit;
  }

  #field(field: string, before: unknown, after: unknown): readonly string[] {
    if (field === 'permissions') return this.#parts(field, this.#rules(before), this.#rules(after));
    if (field === 'input_rules') return this.#parts(field, this.#inputRules(before), this.#inputRules(after));
    if (Array.isArray(before) || Array.isArray(after)) {
      if (field === 'weekdays') return [this.#line(field, this.#week(before), this.#week(after))];
      const kind = partKinds.find(one => one === field);
      return this.#parts(field, this.#names(before, kind), this.#names(after, kind));
    }
    if (field === 'geo') return [this.#texts.changed(this.#label(field))];
    return [this.#line(field, this.#value(field, before), this.#value(field, after))];
  }

  #label(field: string): string {
    return this.#texts.fields[field] ?? field;
  }

  #line(field: string, before: string, after: string): string {
    const label = this.#label(field);
    const { verb } = this.#entry;
    if (verb === 'create' || verb === 'delete') return this.#texts.value(label, verb === 'create' ? after : before);
    return this.#texts.beforeAfter(label, before, after);
  }

  /** What was added to a list and what was removed from it. */
  #parts(field: string, before: readonly string[], after: readonly string[]): readonly string[] {
    const label = this.#label(field);
    const removed = before.filter(part => !after.includes(part));
    const added = after.filter(part => !before.includes(part));
    if (removed.length + added.length === 0) return [this.#texts.reordered(label)];
    return [
      ...removed.map(part => this.#texts.removed(label, part)),
      ...added.map(part => this.#texts.added(label, part)),
    ];
  }

  #value(field: string, value: unknown): string {
    const { messages, formatTime } = this.#context;
    if (value === null || value === undefined || value === '')
      return times.has(field) ? this.#texts.noLimit : messages.general.none;
    if (typeof value === 'string' && times.has(field)) return formatTime(value);
    if (typeof value === 'boolean') return value ? this.#texts.yes : this.#texts.no;
    if (field === 'exception') return this.#exception(value as ScheduleException);
    const text = this.#name(value);
    return field === 'role' ? (messages.shell.roles[text] ?? text) : text;
  }

  #name(value: unknown): string {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return this.#entry.names[text] ?? text;
  }

  /** Tags, sites, actions and states. */
  #names(value: unknown, kind?: PartKind): readonly string[] {
    if (!Array.isArray(value)) return [];
    return value.map((part: unknown) =>
      kind === undefined ? this.#name(part) : namePart(kind, part as Named, this.#context.messages),
    );
  }

  #ranges(ranges: ScheduleException['ranges']): string {
    const { messages, locale } = this.#context;
    if (ranges.length === 0) return messages.schedules.closed;
    const formatTime = createTimeOfDayFormat(locale);
    return ranges.map(({ start, end }) => `${formatTime(start)}–${formatTime(end)}`).join(', ');
  }

  #exception({ date, name, ranges }: ScheduleException): string {
    const { locale } = this.#context;
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));
    return [day, ...(name === '' ? [] : [name]), this.#ranges(ranges)].join(', ');
  }

  #week(value: unknown): string {
    const { messages, locale } = this.#context;
    if (!Array.isArray(value)) return messages.general.none;
    return describeWeekRanges(toWeekRanges(value as WeeklyTimeRanges), locale) ?? messages.schedules.never;
  }

  #rules(value: unknown): readonly string[] {
    const { messages, locale, doors } = this.#context;
    if (!Array.isArray(value)) return [];
    const named = Object.entries(this.#entry.names).map(([id, name]) => ({ id, name }));
    const known = named.map(({ id, name }) => ({
      id,
      name,
      actions: doors.find(door => door.id === id)?.actions ?? [],
    }));
    const objects = { groups: named, schedules: named, sites: named, doors: known };
    return mergeNeighboringPermissionRules(value as readonly MemberGroupPermission[]).map(
      ({ draft }) => describePermissionRule(draft, { messages, locale, objects }).sentence,
    );
  }

  #inputRules(value: unknown): readonly string[] {
    const { messages, doors } = this.#context;
    if (!Array.isArray(value)) return [];
    return (value as readonly InputRule[]).map(({ code, gadget_id, action_id }) => {
      const action =
        doors.find(({ id }) => id === gadget_id)?.actions.find(({ id }) => id === action_id)?.name ?? action_id;
      return messages.door.rule(code, `${action} (${this.#name(gadget_id)})`);
    });
  }
}

/** What an entry of the audit log changed, in words. */
export const describeChanges = (entry: Entry, context: ChangeContext): readonly string[] =>
  new ChangeDescriber(entry, context).list();
