import { sql } from 'kysely';
import { recordBridgeBehind } from '../../../resources/incidents.ts';
import type { BridgeServices } from '../../../services.ts';
import { loadRevisionCounters } from '../time-message.ts';

/** A controller that reports more is not believed. */
const MAX_PLAUSIBLE = 2 ** 48;

interface ReportedCounters {
  /** -1 without a snapshot. */
  readonly revision: number;
  readonly revoke_counter: number;
}

const plausible = (counter: number): number => (counter > MAX_PLAUSIBLE ? -1 : counter);

/**
 * Raises the revision and the revocation counter of the organization above those of a controller, which has signed them.
 * A restored bridge continues above everything that it sent before, so that no controller takes new data for old data.
 */
export const raiseCounters = async (
  services: BridgeServices,
  { device_id, organization_id }: { readonly device_id: string; readonly organization_id: string },
  reported: ReportedCounters,
): Promise<void> => {
  const known = await loadRevisionCounters(services, organization_id);
  const revision = plausible(reported.revision);
  const revoke_counter = plausible(reported.revoke_counter);
  if (known === null || (revision <= known.revision && revoke_counter <= known.revoke_counter)) return;
  await services.writer.write(organization_id, { device_id }, async context => {
    const { db } = context;
    const { numUpdatedRows: raised } = await db
      .updateTable('organizations')
      .set({ revision })
      .where('id', '=', organization_id)
      .where('revision', '<', revision)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('organization_keys')
      .set({ revoke_counter })
      .where('organization_id', '=', organization_id)
      .where('revoke_counter', '<', revoke_counter)
      .execute();
    if (raised > 0n) {
      // Changes of the lost revisions are unknown: every controller gets a full snapshot.
      await db
        .insertInto('change_horizons')
        .values({ organization_id, revision })
        .onConflict(conflict =>
          conflict.column('organization_id').doUpdateSet({ revision: sql<number>`excluded.revision` }),
        )
        .execute();
      // The next revision is above the reported one.
      context.markChanged('device', device_id);
    }
    await recordBridgeBehind(context, { device_ids: [device_id], revoked_ids: [] });
  });
};
