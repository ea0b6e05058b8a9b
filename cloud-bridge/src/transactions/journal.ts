import { sql, type Kysely } from 'kysely';
import type { Engine } from '../storage/engine.ts';
import type { Database, EventRow } from '../storage/schema.ts';
import type { PendingEvent } from './new-event.ts';

/** An object that controllers hold: type and id. */
export interface AccessChange {
  readonly object_type: string;
  readonly object_id: string;
}

/** What one transaction has to say of one organization. */
export interface OrganizationJournal {
  readonly events: PendingEvent[];
  readonly changes: AccessChange[];
}

export interface RecordedJournal {
  readonly organizationId: string;
  readonly events: readonly EventRow[];
  readonly revision: number;
  readonly changed: boolean;
}

const ROWS_PER_INSERT = 100;

const inSlices = async <T>(rows: readonly T[], insert: (slice: T[]) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
    await insert(rows.slice(from, from + ROWS_PER_INSERT));
};

/**
 * Gives the events their place in the organization's log and the changes their revision. The organization's row is
 * locked from here to the commit, so the order of `recorded_at` is the order of commits, whatever the number of bridges.
 */
export const recordJournal = async (
  db: Kysely<Database>,
  organizationId: string,
  journal: OrganizationJournal,
  nowMilliseconds: number,
): Promise<RecordedJournal> => {
  const changed = journal.changes.length > 0;
  const count = journal.events.length;
  const now = nowMilliseconds * 1000;
  const { revision, last_recorded_at: last } = await db
    .updateTable('organizations')
    .set({
      revision: sql<number>`revision + ${changed ? 1 : 0}`,
      last_recorded_at: sql<number>`case when last_recorded_at < ${now} then ${now} else last_recorded_at end + ${count}`,
    })
    .where('id', '=', organizationId)
    .returning(['revision', 'last_recorded_at'])
    .executeTakeFirstOrThrow();
  const events = journal.events.map((event, index): EventRow => ({ ...event, recorded_at: last - count + 1 + index }));
  await inSlices(events, slice => db.insertInto('events').values(slice).execute());
  const changes = [
    ...new Map(journal.changes.map(change => [`${change.object_type} ${change.object_id}`, change])).values(),
  ];
  await inSlices(changes, slice =>
    db
      .insertInto('access_changes')
      .values(
        slice.map(change => ({ ...change, organization_id: organizationId, revision, changed_at: nowMilliseconds })),
      )
      .execute(),
  );
  return { organizationId, events, revision, changed };
};

/** Taken first, so that two bridges never write to one organization in crossed order. */
export const lockOrganization = async (
  db: Kysely<Database>,
  engine: Engine,
  organizationId: string,
): Promise<{ key_version: number } | undefined> => {
  const query = db.selectFrom('organizations').select('key_version').where('id', '=', organizationId);
  return (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
};
