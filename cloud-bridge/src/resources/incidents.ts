import type { incidentKinds } from '@lintel/wire-protocol/rest/event-reasons';
import { createNotFoundError } from '../http/api-error.ts';
import type { IncidentRow } from '../storage/revocation-event-loss-and-incident-schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { findRow, insertRow, updateRow } from '../transactions/row-operations.ts';

export interface IncidentDetails {
  readonly device_ids: readonly string[];
  readonly revoked_ids: readonly string[];
}

export type IncidentKind = (typeof incidentKinds)[number];

const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

export const parseIncidentDetails = ({ details }: Pick<IncidentRow, 'details'>): IncidentDetails =>
  JSON.parse(details) as IncidentDetails;

/** Adds to the incident of this kind that is not acknowledged yet, or opens one with an event. */
export const recordIncident = async (
  context: WriteContext,
  kind: IncidentKind,
  found: IncidentDetails,
): Promise<void> => {
  const { db, organizationId, now } = context;
  const open = await db
    .selectFrom('incidents')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('acknowledged_at', 'is', null)
    .executeTakeFirst();
  if (open === undefined) {
    const row = { id: context.newId('incident'), organization_id: organizationId, kind, created_at: now };
    const noAcknowledgement = { acknowledged_at: null, acknowledged_by: null };
    await insertRow(context, 'incidents', {
      ...row,
      ...noAcknowledgement,
      details: JSON.stringify(found),
      updated_at: now,
    });
    context.log({ verb: 'edit', object: { type: 'organization', organization_id: organizationId }, reason: kind });
    return;
  }
  const known = parseIncidentDetails(open);
  const details: IncidentDetails = {
    device_ids: union(known.device_ids, found.device_ids),
    revoked_ids: union(known.revoked_ids, found.revoked_ids),
  };
  if (JSON.stringify(details) === open.details) return;
  await updateRow(context, 'incidents', open, { details: JSON.stringify(details), updated_at: now });
};

/** Keeps the first acknowledgement. */
export const acknowledgeIncident = async (
  context: WriteContext,
  id: string,
  userId: string | null,
): Promise<IncidentRow> => {
  const row = await findRow(context, 'incidents', id);
  if (row === undefined) throw createNotFoundError('incident', id);
  if (row.acknowledged_at !== null) return row;
  return updateRow(context, 'incidents', row, { acknowledged_at: context.now, acknowledged_by: userId });
};
