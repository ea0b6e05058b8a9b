import { instant } from '@lintel/access-core/instant';
import {
  claimTicketAnswer,
  type ClaimTicketAnswer,
  claimTicketCreate,
  claimTicketCreated,
} from '@lintel/wire-protocol/admin/claim-ticket';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeFor } from '../../api/endpoint.ts';
import { invalid, notFound } from '../../http/api-error.ts';
import { claimTicketStatus, issueClaimTicket, revokeClaimTicket } from '../../resources/claim-tickets.ts';
import type { Services } from '../../services.ts';
import type { ClaimTicketRow } from '../../storage/claiming-schema.ts';
import { requireRow } from '../../transactions/rows.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { isOwnSite } from '../own-sites.ts';
import { adminList, pageRows } from '../paging.ts';

const answerOf = (row: ClaimTicketRow, now: number): ClaimTicketAnswer => ({
  id: row.id as ClaimTicketAnswer['id'],
  organization_id: row.organization_id as ClaimTicketAnswer['organization_id'],
  site_id: row.site_id as ClaimTicketAnswer['site_id'],
  device_id: row.device_id as ClaimTicketAnswer['device_id'],
  status: claimTicketStatus(row, now),
  created_at: dateTimeOf(instant(row.created_at)),
  expires_at: dateTimeOf(instant(row.expires_at)),
});

export const claimTicketEndpoints = (services: Services): AdminEndpoint[] => {
  const { storage, clock } = services;
  const common = { tag: 'Claiming', answer: claimTicketAnswer } as const;
  const list = `${ORGANIZATION}/claim_tickets`;
  return [
    adminList({
      ...common,
      needs: 'claim_tickets.read',
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
        return pageRows(tickets, 'id', page);
      },
      idOf: ({ id }) => id,
      toObject: row => answerOf(row, clock()),
    }),
    adminEndpoint({
      ...common,
      needs: 'claim_tickets.write',
      method: 'POST',
      path: list,
      summary: 'Issue a ticket to claim one controller; the ticket and its code are in this answer only',
      body: claimTicketCreate,
      answer: claimTicketCreated,
      handle: async call => {
        const { caller, body } = call;
        if (!isOwnSite(caller, body.site_id)) {
          throw invalid('site_id', `site_id: there is no ${body.site_id}`, { id: body.site_id });
        }
        const { row, ticket, code } = await writeFor(call, context => issueClaimTicket(context, body, services));
        return { ...answerOf(row, clock()), ticket, code };
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'claim_tickets.write',
      method: 'DELETE',
      path: `${list}/:claim_ticket_id`,
      summary: 'Revoke a claim ticket',
      handle: call =>
        writeFor(call, async context => {
          const { claim_ticket_id: id = '' } = call.params;
          const row = await requireRow(context, 'claim_tickets', 'claim ticket', id);
          if (!isOwnSite(call.caller, row.site_id)) throw notFound('claim ticket', id);
          return answerOf(await revokeClaimTicket(context, row), context.now);
        }),
    }),
  ];
};
