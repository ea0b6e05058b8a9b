import { instant } from '@lintel/access-core/instant';
import {
  claimTicketResponseSchema,
  type ClaimTicketResponse,
  createClaimTicketRequestSchema,
  claimTicketCreatedResponseSchema,
} from '@lintel/wire-protocol/admin/claim-ticket';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { createNotFoundError, createUnknownReferenceError } from '../../http/api-error.ts';
import { computeClaimTicketStatus, issueClaimTicket, revokeClaimTicket } from '../../resources/claim-tickets.ts';
import { identifyTicketIssuer } from '../../resources/controller-confirmation.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { ClaimTicketRow } from '../../storage/organization-key-and-claim-ticket-schema.ts';
import { requireRow } from '../../transactions/row-operations.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { canAccessSite } from '../site-access.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

const toResponse = (row: ClaimTicketRow, now: number): ClaimTicketResponse => ({
  id: row.id as ClaimTicketResponse['id'],
  organization_id: row.organization_id as ClaimTicketResponse['organization_id'],
  site_id: row.site_id as ClaimTicketResponse['site_id'],
  device_id: row.device_id as ClaimTicketResponse['device_id'],
  status: computeClaimTicketStatus(row, now),
  created_at: toDateTime(instant(row.created_at)),
  expires_at: toDateTime(instant(row.expires_at)),
});

export const createClaimTicketEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  const { storage, clock } = services;
  const common = { tag: 'Claiming', response: claimTicketResponseSchema } as const;
  const list = `${ORGANIZATION_PATH_PREFIX}/claim_tickets`;
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'claim_tickets.read',
      path: list,
      summary: 'List claim tickets',
      name: 'claim tickets',
      filters: { site_id: 'Only for this site' },
      read: async ({ organizationId, siteIds }, page) => {
        if (siteIds?.length === 0) return [];
        let tickets = storage.reader
          .selectFrom('claim_tickets')
          .selectAll()
          .where('organization_id', '=', organizationId);
        if (siteIds !== null) tickets = tickets.where('site_id', 'in', siteIds);
        const { site_id } = page.filters;
        if (site_id !== undefined) tickets = tickets.where('site_id', '=', site_id);
        return fetchPageRows(tickets, 'id', page);
      },
      idOf: ({ id }) => id,
      toObject: row => toResponse(row, clock()),
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'claim_tickets.write',
      method: 'POST',
      path: list,
      summary: 'Issue a ticket to claim one controller; the ticket and its code are shown once',
      body: createClaimTicketRequestSchema,
      response: claimTicketCreatedResponseSchema,
      handle: async call => {
        const { caller, body } = call;
        if (!canAccessSite(caller, body.site_id)) {
          throw createUnknownReferenceError('site_id', body.site_id);
        }
        const { row, ticket, code } = await writeAsCaller(call, context =>
          issueClaimTicket(context, body, services, identifyTicketIssuer(caller)),
        );
        const { publicUrl: bridge_url, caFingerprint: ca_fingerprint } = services;
        return { ...toResponse(row, clock()), ticket, code, bridge_url, ca_fingerprint };
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'claim_tickets.write',
      method: 'DELETE',
      path: `${list}/:claim_ticket_id`,
      summary: 'Revoke a claim ticket',
      handle: call =>
        writeAsCaller(call, async context => {
          const { claim_ticket_id: id = '' } = call.params;
          const row = await requireRow(context, 'claim_tickets', 'claim ticket', id);
          if (!canAccessSite(call.caller, row.site_id)) throw createNotFoundError('claim ticket', id);
          return toResponse(await revokeClaimTicket(context, row), context.now);
        }),
    }),
  ];
};
