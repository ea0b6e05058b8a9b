import { sql } from 'kysely';
import { createIndex, type MigrationContext } from './table-builder.ts';

/**
 * The time of creation of the member in each search term, so that the newest matches are found without reading members.
 * It is null in rows of a bridge of the previous version.
 */
export const addSearchOrderColumn = async (context: MigrationContext): Promise<void> => {
  await sql.raw('alter table member_search_terms add column member_created_at bigint').execute(context.db);
  await sql
    .raw(
      `update member_search_terms set member_created_at =
        (select m.created_at from members as m where m.id = member_search_terms.member_id)`,
    )
    .execute(context.db);
  // In SQLite, the table itself is in this order and has the column.
  if (context.engine === 'postgres')
    await createIndex(
      context,
      'member_search_terms_with_order',
      'member_search_terms (organization_id, term, member_created_at, member_id)',
    );
};
