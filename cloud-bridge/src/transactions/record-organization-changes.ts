import { sql, type Kysely } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { Database } from '../storage/schema.ts';
import { insertRows } from './insert-rows.ts';
import type { PendingEvent } from './pending-event.ts';

/** A changed object that controllers cache. */
export interface ChangedObject {
  readonly object_type: string;
  readonly object_id: string;
  /** What it takes away from the member. 1: time, by its dates or its deletion; 2: a group, or time in it. */
  readonly withdraws: 0 | 1 | 2;
}

/** Events and object changes of one organization in one transaction. */
export interface PendingOrganizationChanges {
  readonly events: PendingEvent[];
  readonly changes: ChangedObject[];
}

export interface RecordedOrganizationChanges {
  readonly organizationId: string;
  readonly events: readonly OrganizationEventRow[];
  readonly revision: number;
  readonly hasChanges: boolean;
}

/**
 * Inserts the events and changes, and assigns `recorded_at` and the revision. The organization's row is locked until the
 * commit, so `recorded_at` follows the commit order even with several bridges.
 */
export const recordOrganizationChanges = async (
  { db, engine }: { readonly db: Kysely<Database>; readonly engine: DatabaseEngine },
  organizationId: string,
  journal: PendingOrganizationChanges,
  nowMilliseconds: number,
): Promise<RecordedOrganizationChanges> => {
  const hasChanges = journal.changes.length > 0;
  const count = journal.events.length;
  const now = nowMilliseconds * 1000;
  const { revision, last_recorded_at: last } = await db
    .updateTable('organizations')
    .set({
      revision: sql<number>`revision + ${hasChanges ? 1 : 0}`,
      last_recorded_at: sql<number>`case when last_recorded_at < ${now} then ${now} else last_recorded_at end + ${count}`,
    })
    .where('id', '=', organizationId)
    .returning(['revision', 'last_recorded_at'])
    .executeTakeFirstOrThrow();
  const events = journal.events.map(
    (event, index): OrganizationEventRow => ({ ...event, recorded_at: last - count + 1 + index }),
  );
  await insertRows(db, engine, 'events', events);
  const changes = [...Map.groupBy(journal.changes, change => `${change.object_type} ${change.object_id}`).values()].map(
    (same): ChangedObject => ({
      ...same[0]!,
      withdraws: same.map(one => one.withdraws).findLast(kind => kind !== 0) ?? 0,
    }),
  );
  const changedAt = { organization_id: organizationId, revision, changed_at: nowMilliseconds };
  await insertRows(
    db,
    engine,
    'access_changes',
    changes.map(change => ({ ...change, ...changedAt })),
  );
  return { organizationId, events, revision, hasChanges };
};

/** Call first in a transaction, so that bridges write to an organization one after the other. */
export const lockOrganizationRow = async (
  db: Kysely<Database>,
  engine: DatabaseEngine,
  organizationId: string,
): Promise<{ key_version: number } | undefined> => {
  const query = db.selectFrom('organizations').select('key_version').where('id', '=', organizationId);
  return (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
};
