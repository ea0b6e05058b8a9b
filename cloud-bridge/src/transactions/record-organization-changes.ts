import { sql, type Kysely } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { Database } from '../storage/schema.ts';
import type { PendingEvent } from './pending-event.ts';

/** A changed object that controllers cache. */
export interface ChangedObject {
  readonly object_type: string;
  readonly object_id: string;
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

const ROWS_PER_INSERT = 500;
const integerColumns = new Set(['created_at', 'recorded_at', 'time_trusted', 'revision', 'changed_at']);

/** The rows are one parameter: most columns of an event are null, and a parameter for each would take longer than the insert. */
const insertRows = async (
  db: Kysely<Database>,
  engine: DatabaseEngine,
  table: 'events' | 'access_changes',
  rows: readonly object[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const batch = rows.slice(from, from + ROWS_PER_INSERT);
    const isSet = (name: string): boolean => batch.some(row => row[name as keyof typeof row] !== null);
    const names = Object.keys(batch[0]!).filter(isSet);
    const columns = Object.fromEntries(
      names.map(name => [name, integerColumns.has(name) ? ('int' as const) : ('text' as const)]),
    );
    await sql`insert into ${sql.table(table)} (${sql.join(names.map(name => sql.id(name)))})
      select ${sql.join(names.map(name => sql.id('o', name)))}
      from ${createJsonRowsParameter(engine, columns, batch)}`.execute(db);
  }
};

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
  const changes = [
    ...new Map(journal.changes.map(change => [`${change.object_type} ${change.object_id}`, change])).values(),
  ];
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
