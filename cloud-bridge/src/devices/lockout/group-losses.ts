import type { PermissionRule } from '@lintel/access-core/access-data-types';
import { DAY_MS } from '@lintel/access-core/durations';
import type { Instant } from '@lintel/access-core/instant';
import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import { eventIndexConditions } from '../../storage/partial-event-index-conditions.ts';
import type { Database } from '../../storage/schema.ts';
import type { Storage } from '../../storage/open-storage.ts';
import type { RecordedChanges } from '../../transactions/recorded-changes.ts';
import type { OrganizationWithoutMembers } from '../access-snapshot/organization-without-members.ts';
import { revisionAt } from '../member-changes.ts';
import type { Withdrawal } from './doors.ts';
import { coversAccess, listGroupAccess, type TimedGrant } from './group-access.ts';

/** How long the console shows that all doors have locked people out. */
export const SHOWN_MS = DAY_MS;
/** A transaction records its change a moment after its events. */
const COMMIT_MS = 60_000;

/** A change of rules or schedules, and what applied before it. */
interface RuleChange extends Withdrawal {
  readonly before: OrganizationWithoutMembers;
}

/** What the members of a group have lost at a gadget. */
export interface GroupLoss extends Withdrawal {
  readonly before: readonly TimedGrant[];
  /** Nothing is left. */
  readonly isWhole: boolean;
}

interface RecordedChange {
  readonly object_id: string;
  readonly revision: number;
  readonly at: number;
}

/** Changes of the last day, and those that a controller has not confirmed, newest first. */
const loadRecentChanges = async (
  db: Kysely<Database>,
  organizationId: string,
  now: Instant,
): Promise<readonly RecordedChange[]> => {
  const oldest = await db
    .selectFrom('device_sync as s')
    .innerJoin('devices as d', 'd.id', 's.device_id')
    .select(sql<number | null>`min(s.revision)`.as('revision'))
    .where('d.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0)
    .executeTakeFirst();
  const isRecent = sql<boolean>`(changed_at >= ${now - SHOWN_MS} or revision > ${oldest?.revision ?? Number.MAX_SAFE_INTEGER})`;
  return db
    .selectFrom('access_changes')
    .select(['object_id', 'revision', 'changed_at as at'])
    .where('organization_id', '=', organizationId)
    .where('object_type', 'in', ['member_group', 'schedule'])
    .where(isRecent)
    .orderBy('revision', 'desc')
    .execute();
};

interface ChangeEvent {
  readonly verb: string;
  readonly id: string;
  readonly kind: 'member_group' | 'schedule';
  readonly changes: string | null;
  readonly at: number;
}

const loadEvents = async (db: Kysely<Database>, organizationId: string, since: number): Promise<ChangeEvent[]> => {
  const { rows } = await sql<ChangeEvent>`select verb, coalesce(object_member_group_id, object_schedule_id) as id,
      object_type as kind, changes, created_at as at from events
    where organization_id = ${organizationId} and ${sql.raw(eventIndexConditions.notUse)}
      and verb in ('edit', 'delete') and object_type in ('member_group', 'schedule') and created_at >= ${since}
    order by recorded_at desc`.execute(db);
  return rows;
};

/** The rules of deleted groups, and the times of deleted schedules. */
const loadDeleted = async (
  { reader, engine }: Pick<Storage, 'reader' | 'engine'>,
  events: readonly ChangeEvent[],
): Promise<ReadonlyMap<string, string>> => {
  const deleted = new Map<string, string>();
  for (const [kind, table, column] of [
    ['member_group', 'member_groups', 'permissions'],
    ['schedule', 'schedules', 'weekdays'],
  ] as const) {
    const ids = events.filter(event => event.verb === 'delete' && event.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const { rows } = await sql<{ id: string; value: string }>`select id, ${sql.ref(column)} as value
      from ${sql.table(table)} where ${buildIdInExpression(engine, sql`id`, ids)}`.execute(reader);
    for (const { id, value } of rows) deleted.set(id, value);
  }
  return deleted;
};

/** The structure without the change; null if the change concerns no rules and no times. */
const undo = (
  structure: OrganizationWithoutMembers,
  { verb, id, kind, changes }: ChangeEvent,
  deleted: ReadonlyMap<string, string>,
): OrganizationWithoutMembers | null => {
  const field = kind === 'schedule' ? 'weekdays' : 'permissions';
  const recorded = changes === null ? undefined : (JSON.parse(changes) as RecordedChanges)[field];
  const value = verb === 'delete' ? deleted.get(id) : recorded && JSON.stringify(recorded[0]);
  if (value === undefined) return null;
  if (kind === 'schedule')
    return { ...structure, schedules: new Map([...structure.schedules, [id, { id, weekdays: value }]]) };
  const group = { id, permissions: JSON.parse(value) as PermissionRule[] };
  return { ...structure, groups: new Map([...structure.groups, [id, group]]) };
};

/**
 * What groups have lost by edits and deletions of groups and schedules, as long as the console shows it or a controller has
 * not confirmed it.
 */
export class GroupLosses {
  readonly #structure: OrganizationWithoutMembers;
  readonly #changes: readonly RuleChange[];
  readonly #now: Instant;

  private constructor(structure: OrganizationWithoutMembers, changes: readonly RuleChange[], now: Instant) {
    this.#structure = structure;
    this.#changes = changes;
    this.#now = now;
  }

  /** Null if nothing changed, without a look at the structure. */
  static async load(
    storage: Pick<Storage, 'reader' | 'engine'>,
    organizationId: string,
    loadStructure: () => Promise<OrganizationWithoutMembers>,
    now: Instant,
  ): Promise<GroupLosses | null> {
    const recorded = await loadRecentChanges(storage.reader, organizationId, now);
    if (recorded.length === 0) return null;
    const events = await loadEvents(storage.reader, organizationId, recorded.at(-1)!.at - COMMIT_MS);
    const deleted = await loadDeleted(storage, events);
    const byObject = Map.groupBy(recorded, ({ object_id }) => object_id);
    const structure = await loadStructure();
    let later = structure;
    const changes: RuleChange[] = [];
    for (const event of events) {
      const revision = revisionAt(byObject.get(event.id) ?? [], event.at);
      const before = revision === undefined ? null : undo(later, event, deleted);
      if (revision === undefined || before === null) continue;
      changes.push({ at: event.at, revision, before });
      later = before;
    }
    return new GroupLosses(structure, changes, now);
  }

  /** By gadget: the latest change after which a controller allows no more than now. */
  of(groupId: string): ReadonlyMap<string, GroupLoss> {
    const losses = new Map<string, GroupLoss>();
    const present = listGroupAccess(this.#structure, groupId, this.#now);
    for (const { before, at, revision } of this.#changes) {
      for (const [gadgetId, grants] of listGroupAccess(before, groupId, this.#now)) {
        const access = present.get(gadgetId) ?? [];
        if (losses.has(gadgetId) || coversAccess(access, grants)) continue;
        losses.set(gadgetId, { at, revision, before: grants, isWhole: access.length === 0 });
      }
    }
    return losses;
  }
}
