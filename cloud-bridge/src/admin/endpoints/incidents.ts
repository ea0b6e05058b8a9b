import { HOUR_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { incidentResponseSchema, type IncidentResponse } from '@lintel/wire-protocol/admin/incident';
import { dateTimeSchema, toDateTime, toDateTimeOrNull, toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import * as z from 'zod';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { acknowledgeIncident, type IncidentKind, parseIncidentDetails } from '../../resources/incidents.ts';
import { createInvalidFieldError, createNotFoundError } from '../../http/api-error.ts';
import { confirmClock } from '../../storage/deletion-clock.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { findRow } from '../../transactions/row-operations.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { IncidentRow } from '../../storage/revocation-event-loss-and-incident-schema.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

const messages: Readonly<Record<IncidentKind, string>> = {
  bridge_behind:
    'Controllers had newer data than the bridge, whose database was restored or has lost data. Changes since then are missing. Revoked credentials stay revoked. Check members, access rights and devices, and enter missing changes again',
  clock_ahead:
    'The clock of the bridge is ahead of the time that it expects, because it is wrong or because the bridge was stopped. Members and history that end only by this clock are not deleted yet. Check the time of the bridge. If it is right, confirm it; otherwise correct the clock',
  controller_ahead:
    'A controller reports again and again data that this bridge has never sent, or far too much of it. It may be compromised or defective. It gets no access data. Check it, reset it and claim it again',
  device_event_flood:
    'A controller sends more events than can happen at its doors. They are stored slowly, and none are lost. It may be compromised or defective. Check it, reset it and claim it again',
  rules_refused:
    'A controller reported changed input rules without proof that a technician may set them. The bridge did not apply them. It may be compromised. Check who was at the controller, and set the rules again if the change was intended',
};

export const describeIncidentKind = (kind: string): string => messages[kind as IncidentKind];

/** Null for what is not about the clock, and when it was settled. */
const describeClock = (
  { clock, deletionClock }: BridgeServices,
  { kind, organization_id, acknowledged_at }: IncidentRow,
): IncidentResponse['clock'] =>
  kind === 'clock_ahead' && acknowledged_at === null
    ? { time: toDateTime(clock()), expected_time: toDateTime(deletionClock.now(organization_id)) }
    : null;

const toResponse = (services: BridgeServices, row: IncidentRow): IncidentResponse => {
  const { device_ids, revoked_ids } = parseIncidentDetails(row);
  return {
    id: row.id as IncidentResponse['id'],
    organization_id: row.organization_id as IncidentResponse['organization_id'],
    kind: row.kind,
    message: describeIncidentKind(row.kind),
    device_ids: device_ids as IncidentResponse['device_ids'],
    revoked_ids: [...revoked_ids],
    created_at: toDateTime(instant(row.created_at)),
    updated_at: toDateTime(instant(row.updated_at)),
    acknowledged_at: toDateTimeOrNull(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by as IncidentResponse['acknowledged_by'],
    clock: describeClock(services, row),
  };
};

/** The person confirms the time that the console has shown; not another one that the clock shows meanwhile. */
const confirmBridgeClock = async (
  { clock }: BridgeServices,
  context: WriteContext,
  id: string,
  confirmed: number,
): Promise<void> => {
  const row = await findRow(context, 'incidents', id);
  if (row === undefined || row.kind !== 'clock_ahead') throw createNotFoundError('incident', id);
  const now = clock();
  if (Math.abs(confirmed - now) > HOUR_MS)
    throw createInvalidFieldError('time', `must be close to the clock of the bridge, which shows ${toDateTime(now)}`);
  await confirmClock(context.db, context.organizationId, now);
  const { organizationId } = context;
  context.log({
    verb: 'edit',
    object: { type: 'organization', organization_id: organizationId },
    reason: 'clock_confirmed',
  });
};

export const createIncidentEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  const { storage, deletionClock } = services;
  const list = `${ORGANIZATION_PATH_PREFIX}/incidents`;
  const common = { tag: 'Organization', response: incidentResponseSchema } as const;
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'events.read',
      path: list,
      summary: 'List incidents, such as a bridge that was restored from a backup',
      name: 'incidents',
      read: ({ organizationId }, page) =>
        fetchPageRows(
          storage.reader.selectFrom('incidents').selectAll().where('organization_id', '=', organizationId),
          'id',
          page,
        ),
      idOf: ({ id }) => id,
      toObject: row => toResponse(services, row),
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'organization.edit',
      method: 'POST',
      path: `${list}/:incident_id/acknowledge`,
      summary: 'Acknowledge an incident',
      body: z.strictObject({}),
      handle: async call => {
        const { incident_id: id = '' } = call.params;
        const row = await writeAsCaller(call, context => acknowledgeIncident(context, id, call.caller.userId));
        return toResponse(services, row);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'organization.edit',
      method: 'POST',
      path: `${list}/:incident_id/confirm_clock`,
      summary: 'Confirm that the clock of the bridge is right, so that what ends by it is deleted',
      body: z.strictObject({
        time: dateTimeSchema.describe(
          'What the clock of the bridge shows: ISO 8601 with an offset or Z, at most an hour from the present time of the bridge',
        ),
      }),
      handle: async call => {
        const { incident_id: id = '' } = call.params;
        const row = await writeAsCaller(call, async context => {
          await confirmBridgeClock(services, context, id, toInstant(call.body.time));
          return acknowledgeIncident(context, id, call.caller.userId);
        });
        await deletionClock.load(storage.reader);
        return toResponse(services, row);
      },
    }),
  ];
};
