import { type RawBuilder, sql } from 'kysely';
import { cliClientId } from '../accounts/insert-oauth-application.ts';
import { deleteOAuthApplication } from '../resources/oauth-applications.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { systemActor } from '../transactions/actor.ts';
import { lockOrganizationRow } from '../transactions/record-organization-changes.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import { tablesDeletedWithOrganization } from './deleted-tables.ts';

const BATCH = 500;

const deleteRows = async (db: BridgeServices['storage']['writer'], statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0);

/** Deletes the rows that can be many in small transactions, so that a running bridge can write between them. */
const deleteHistory = async ({ storage }: BridgeServices, id: string): Promise<number> => {
  const batches = [
    sql`delete from webhook_deliveries where id in (select d.id from webhooks as w
      join webhook_deliveries as d on d.webhook_id = w.id where w.organization_id = ${id} limit ${sql.lit(BATCH)})`,
    sql`delete from events where id in (select e.id from events as e
      where e.organization_id = ${id} limit ${sql.lit(BATCH)})`,
  ];
  let deleted = 0;
  for (const batch of batches)
    for (let rows = BATCH; rows === BATCH; deleted += rows) rows = await deleteRows(storage.writer, batch);
  return deleted;
};

/** Applications that other organizations have authorized lose their access there, which is logged there. */
const deleteApplications = async (services: BridgeServices, id: string): Promise<void> => {
  const applications = await services.storage.reader
    .selectFrom('oauth_applications')
    .select('id')
    .where('organization_id', '=', id)
    // The built-in application for script tokens has no access to other organizations.
    .where('client_id', '!=', cliClientId(id))
    .execute();
  for (const application of applications) await deleteOAuthApplication(services, id, systemActor, application.id);
};

/** Digests of the releases that no other organization has. */
const findOwnReleases = async ({ storage }: BridgeServices, id: string): Promise<string[]> => {
  const { rows } = await sql<{ sha256: string }>`select distinct r.sha256 from releases as r
    where r.organization_id = ${id} and not exists (select 1 from releases as o
      where o.sha256 = r.sha256 and o.organization_id <> ${id} and o.is_deleted = 0)`.execute(storage.reader);
  return rows.map(({ sha256 }) => sha256);
};

/**
 * Deletes the organization with all rows that belong to it, and the accounts of users who belong to no other organization.
 * Returns the number of rows. If it is interrupted, the organization still exists, and deleting again continues.
 */
export const deleteOrganization = async (
  services: BridgeServices,
  releases: Pick<ReleaseStore, 'remove'>,
  id: string,
): Promise<number> => {
  const { storage } = services;
  await deleteApplications(services, id);
  const archives = await findOwnReleases(services, id);
  const history = await deleteHistory(services, id);
  const deleted = await storage.writer.transaction().execute(async db => {
    // Bridges that write at this moment wait, and then find no organization.
    await lockOrganizationRow(db, storage.engine, id);
    let rows = 0;
    for (const [table, rowsOf] of tablesDeletedWithOrganization)
      rows += await deleteRows(db, sql`delete from ${sql.table(table)} where ${rowsOf(id)}`);
    return rows;
  });
  for (const sha256 of archives) await releases.remove(sha256);
  return history + deleted;
};
