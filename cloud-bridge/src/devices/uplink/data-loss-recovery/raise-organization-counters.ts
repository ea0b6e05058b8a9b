import type { RateLimit } from '../../../http/rate-limit.ts';
import { recordIncident } from '../../../resources/incidents.ts';
import { insertLostRevocationMarker } from '../../downlink/sent-revocations.ts';
import type { ActiveDeviceSession } from '../../device-session-registry.ts';
import { loadRevisionAndRevocationCounter } from '../send-time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

/** More than an organization changes in its lifetime. A controller that is further ahead is not believed. */
const MAX_STEP = 2 ** 32;

/** For each controller: one raise in ten minutes, and some at once for messages that a broker delivers late. */
export const ORGANIZATION_COUNTER_RAISE_RATE_LIMIT: RateLimit = { perSecond: 1 / 600, burst: 5 };
export const COUNTER_RAISE_INCIDENT_LIMIT: RateLimit = { perSecond: 1 / 3600, burst: 1 };

interface ReportedCounters {
  /** -1 without a snapshot. */
  readonly revision: number;
  readonly revoke_counter: number;
}

/**
 * Raises the revision and the revocation counter of the organization above those of a controller, which has signed them.
 * A restored bridge continues above everything that it sent before, so that no controller takes new data for old data.
 *
 * A controller is ahead once for each restored backup. One that is ahead again and again, or too far, is not believed:
 * it may be compromised, and only this controller gets no data. Other controllers continue with deltas in any case,
 * because the bridge knows which snapshots it has sent to them. Returns whether the controller is believed.
 */
export const raiseOrganizationCounters = async (
  {
    services,
    counterRaises,
    raiseIncidents,
  }: Pick<UplinkDependencies, 'services' | 'counterRaises' | 'raiseIncidents'>,
  session: ActiveDeviceSession,
  { revision, revoke_counter }: ReportedCounters,
): Promise<boolean> => {
  const { deviceId: device_id, organizationId: organization_id } = session;
  const known = await loadRevisionAndRevocationCounter(services, organization_id);
  if (known === null) return true;
  const ahead = Math.max(revision - known.revision, revoke_counter - known.revoke_counter);
  if (ahead <= 0) return true;
  const isBelieved = ahead <= MAX_STEP && counterRaises.tryTake(device_id);
  if (!isBelieved && !raiseIncidents.tryTake(device_id)) return false;
  await services.writer.write(organization_id, { device_id }, async context => {
    const found = { device_ids: [device_id], revoked_ids: [] };
    if (!isBelieved) return recordIncident(context, 'controller_ahead', found);
    const { db } = context;
    const { numUpdatedRows: raised } = await db
      .updateTable('organizations')
      .set({ revision })
      .where('id', '=', organization_id)
      .where('revision', '<', revision)
      .executeTakeFirstOrThrow();
    await insertLostRevocationMarker(db, organization_id, known.revoke_counter);
    await db
      .updateTable('organization_keys')
      .set({ revoke_counter })
      .where('organization_id', '=', organization_id)
      .where('revoke_counter', '<', revoke_counter)
      .execute();
    // Each controller may know revocations that are lost here.
    await db
      .updateTable('device_links')
      .set({ awaits_revocations: 1 })
      .where('organization_id', '=', organization_id)
      .execute();
    // The next revision is above the reported one.
    if (raised > 0n) context.markChanged('device', device_id);
    await recordIncident(context, 'bridge_behind', found);
  });
  session.awaitsRevocations ||= isBelieved;
  return isBelieved;
};
