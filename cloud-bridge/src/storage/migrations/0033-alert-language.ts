import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** The language of the messages of an alert rule. Null, as in rules of a bridge of the previous version, is English. */
export const addAlertLanguage = async ({ db }: MigrationContext): Promise<void> => {
  await sql.raw('alter table alert_rules add column language text').execute(db);
};
