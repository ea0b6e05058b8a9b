import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { Database } from '../storage/schema.ts';
import { extractMemberSearchTerms } from '../storage/search-terms.ts';
import type { RecordedOrganizationChanges } from '../transactions/record-organization-changes.ts';

const changesTerms = ({ object_type, verb }: OrganizationEventRow): boolean =>
  (object_type === 'member' && (verb === 'create' || verb === 'edit')) ||
  (object_type === 'member_email' && (verb === 'create' || verb === 'delete'));

interface MemberText {
  readonly id: string;
  readonly name: string;
  readonly metadata: string;
  readonly created_at: number;
  readonly email: string | null;
}

const columns = { term: 'text', member_id: 'text', created_at: 'int', name: 'text' } as const;

/** Updates the words by which changed members are found, in the transaction that records the change. */
export const updateMemberSearchTerms = async (
  db: Kysely<Database>,
  engine: DatabaseEngine,
  { organizationId, events }: Pick<RecordedOrganizationChanges, 'organizationId' | 'events'>,
): Promise<void> => {
  const changes = events.filter(changesTerms);
  if (changes.length === 0) return;
  const ids = new Set(changes.map(({ object_member_id }) => object_member_id!));
  const { rows: texts } = await sql<MemberText>`select m.id, m.name, m.metadata, m.created_at, e.email from members as m
    left join member_emails as e on e.member_id = m.id and e.is_deleted = 0
    where ${buildIdInExpression(engine, sql`m.id`, [...ids])}`.execute(db);
  const created = new Set(
    changes
      .filter(({ object_type, verb }) => object_type === 'member' && verb === 'create')
      .map(({ object_member_id }) => object_member_id!),
  );
  const known = [...ids].filter(id => !created.has(id));
  if (known.length > 0) {
    await sql`delete from member_search_terms where ${buildIdInExpression(engine, sql`member_id`, known)}`.execute(db);
  }
  const rows = [...Map.groupBy(texts, ({ id }) => id)].flatMap(([member_id, [member, ...others]]) => {
    const { name, metadata, created_at } = member!;
    const emails = [member!, ...others].flatMap(({ email }) => email ?? []);
    return extractMemberSearchTerms({ name, metadata, emails }).map(term => ({ term, member_id, created_at, name }));
  });
  if (rows.length === 0) return;
  await sql`insert into member_search_terms (organization_id, term, member_id, member_created_at, member_name)
    select ${organizationId}, term, member_id, created_at, name from ${createJsonRowsParameter(engine, columns, rows)}`.execute(
    db,
  );
};
