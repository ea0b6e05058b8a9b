import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { type DatabaseTableName, transferredTables } from '../organization-transfer/transferred-tables.ts';

/** The condition for the rows that are deleted together with their organization. */
type RowsOf = (organizationId: string) => RawBuilder<SqlBool>;

const own: RowsOf = id => sql`organization_id = ${id}`;

/** Rows of users who belong to no other organization. */
const ofLastUsers =
  (column: string): RowsOf =>
  id =>
    sql`${sql.ref(column)} in (select u.user_id from organization_users as u where u.organization_id = ${id}
    and not exists (select 1 from organization_users as o where o.user_id = u.user_id and o.organization_id <> ${id}))`;

/** Deleted first, because the conditions read `organization_users`. */
const accountTables: readonly (readonly [DatabaseTableName, RowsOf])[] = [
  ['sessions', ofLastUsers('user_id')],
  ['password_resets', ofLastUsers('user_id')],
  ['passkeys', ofLastUsers('user_id')],
  ['users', ofLastUsers('id')],
];

/** Tables that an exported organization does not take along, and the tokens that it leaves out. */
const notTransferred: readonly (readonly [DatabaseTableName, RowsOf])[] = [
  ['guest_sessions', own],
  ['idempotency_keys', own],
  ['oauth_tokens', own],
  ['pin_prefixes', own],
  ['releases', own],
  ['rollout_devices', own],
  ['rollouts', own],
  // Unfinished uploads.
  ['shared_file_chunks', id => sql`name like ${`${id}-%`}`],
];

const listed = new Set([...accountTables, ...notTransferred].map(([name]) => name));

/** Every table with rows of an organization, each before the tables that its condition reads. */
export const tablesDeletedWithOrganization: readonly (readonly [DatabaseTableName, RowsOf])[] = [
  ...accountTables,
  ...notTransferred,
  ...transferredTables
    .filter(([name]) => !listed.has(name))
    .map(([name, { rowsOf }]) => [name, rowsOf] as const)
    .toReversed(),
];
