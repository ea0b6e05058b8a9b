import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/schema.ts';

export interface CardInventoryRow {
  readonly id: string;
  readonly name: string;
  readonly uid: string | null;
  readonly printed_code: string | null;
  readonly is_stock: number;
  readonly member_card_id: string | null;
  readonly member_id: string | null;
  readonly member_name: string | null;
}

interface InventoryPage {
  readonly before: string | null;
  readonly count: number;
  readonly filters: Readonly<Record<string, string>>;
}

/** A UID may be written with separators. */
const withoutSeparators = (text: string): string => text.replaceAll(/[\s:.-]/g, '');

const escapePattern = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const matches = (search: string | undefined) => {
  if (search === undefined) return sql`1 = 1`;
  const [pattern, uid] = [escapePattern(search), escapePattern(withoutSeparators(search))];
  return sql`(lower(c.name) like ${pattern} escape '\\' or lower(c.printed_code) like ${pattern} escape '\\'
    or lower(m.name) like ${pattern} escape '\\' or c.uid like ${uid} escape '\\')`;
};

/** The cards of the organization and those of the stock that it may take, newest first. */
export const listCardInventory = async (
  db: Kysely<Database>,
  organizationId: string,
  { before, count, filters }: InventoryPage,
): Promise<readonly CardInventoryRow[]> => {
  const after = before === null ? sql`` : sql`and c.id < ${before}`;
  const only = filters['card_id'] === undefined ? sql`` : sql`and c.id = ${filters['card_id']}`;
  const { rows } = await sql<CardInventoryRow>`
    select c.id, coalesce(c.name, '') as name, c.uid, c.printed_code,
      case when c.organization_id is null then 1 else 0 end as is_stock,
      held.id as member_card_id, m.id as member_id, m.name as member_name
    from cards as c
    left join member_cards as held on held.id = (
      select min(one.id) from member_cards as one join members as holder on holder.id = one.member_id
      where one.card_id = c.id and one.is_deleted = 0 and one.organization_id = ${organizationId}
        and holder.is_deleted = 0 and holder.organization_id = ${organizationId})
    left join members as m on m.id = held.member_id
    where (c.organization_id = ${organizationId} or (c.organization_id is null and c.reserved_for = ${organizationId}))
      and c.is_deleted = 0
      ${after} ${only} and ${matches(filters['search'])}
    order by c.id desc limit ${count}`.execute(db);
  return rows;
};
