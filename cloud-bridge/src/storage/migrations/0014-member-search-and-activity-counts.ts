import { sql } from 'kysely';
import { createJsonRowsParameter } from '../rows-as-json-parameter.ts';
import { extractMemberSearchTerms } from '../search-terms.ts';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

const MEMBERS_PER_BATCH = 1000;

interface Member {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly metadata: string;
}

const fillSearchTerms = async ({ db, engine }: MigrationContext): Promise<void> => {
  const columns = { organization_id: 'text', term: 'text', member_id: 'text' } as const;
  for (let after = ''; ; ) {
    const { rows: members } = await sql<Member>`select id, organization_id, name, metadata from members
      where id > ${after} order by id limit ${MEMBERS_PER_BATCH}`.execute(db);
    const last = members.at(-1)?.id;
    if (last === undefined) return;
    const { rows: emails } = await sql<{ member_id: string; email: string }>`select member_id, email from member_emails
      where member_id > ${after} and member_id <= ${last} and is_deleted = 0`.execute(db);
    const byMember = Map.groupBy(emails, ({ member_id }) => member_id);
    const rows = members.flatMap(({ id, organization_id, name, metadata }) => {
      const addresses = (byMember.get(id) ?? []).map(({ email }) => email);
      const terms = extractMemberSearchTerms({ name, metadata, emails: addresses });
      return terms.map(term => ({ organization_id, term, member_id: id }));
    });
    await sql`insert into member_search_terms (organization_id, term, member_id)
      select organization_id, term, member_id from ${createJsonRowsParameter(engine, columns, rows)}`.execute(db);
    after = last;
  }
};

/** The search for members, the activity by hour, and the changes of one member, for people who administer doors. */
export const createAdministrationTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'member_search_terms',
    { organization_id: 'text', term: 'text', member_id: 'text' },
    'organization_id, term, member_id',
    { isClustered: true },
  );
  await createIndex(context, 'member_search_terms_by_member', 'member_search_terms (member_id, term)');
  await fillSearchTerms(context);
  await createTable(
    context,
    'activity_counts',
    { organization_id: 'text', hour: 'int', gadget_id: 'text', verb: 'text', count: 'int' },
    'organization_id, hour, gadget_id, verb',
    { isClustered: true },
  );
  await sql
    .raw(
      `insert into activity_counts (organization_id, hour, gadget_id, verb, count)
        select organization_id, created_at / 3600000 * 3600000, object_gadget_id, verb, count(*) from events
        where object_type = 'gadget_action' and verb in ('use', 'deny') and object_gadget_id is not null
        group by 1, 2, 3, 4`,
    )
    .execute(context.db);
  await createIndex(
    context,
    'access_changes_by_object',
    'access_changes (organization_id, object_type, object_id, revision)',
  );
};
