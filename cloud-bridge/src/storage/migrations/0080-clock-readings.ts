import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

/** The latest time at which the clock of the bridge was known to be right. It starts with the newest event. */
export const addClockReadings = async (context: MigrationContext): Promise<void> => {
  const { db, now } = context;
  await createTable(context, 'clock_readings', { name: 'text', at: 'int' }, 'name');
  const { rows } = await sql<{ newest: number | null }>`select max(recorded_at) as newest from events`.execute(db);
  const newest = rows[0]!.newest;
  if (newest === null) return;
  const at = Math.min(Math.floor(newest / 1000), now);
  await sql`insert into clock_readings (name, at) values ('bridge', ${at})`.execute(db);
};
