import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/**
 * The language of the messages of an alert rule; null is English. The name of the member in each search term, so that the
 * first matches by name are found without reading members. Both are null in rows of a bridge of the previous version.
 */
export const addAlertLanguageAndSearchOrderColumns = async ({ db, engine }: MigrationContext): Promise<void> => {
  const text = engine === 'sqlite' ? 'text' : 'text collate "C"';
  await sql.raw(`alter table alert_rules add column language ${text}`).execute(db);
  await sql.raw(`alter table member_search_terms add column member_name ${text}`).execute(db);
  await sql
    .raw(
      `update member_search_terms set member_name =
        (select m.name from members as m where m.id = member_search_terms.member_id)`,
    )
    .execute(db);
};
