import {
  accessExplanationRequestSchema,
  accessExplanationResponseSchema,
} from '@lintel/wire-protocol/admin/access-explanation';
import { gadgetMemberResponseSchema, memberAccessResponseSchema } from '@lintel/wire-protocol/admin/effective-access';
import { sql } from 'kysely';
import { explainAccess, explainAndLogAccess } from '../../access/explain-access.ts';
import { roleAllows } from '../../accounts/role-permissions.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { loadOrganizationWithoutMembers } from '../../devices/access-snapshot/organization-without-members.ts';
import { collectRelevantMemberGroups } from '../../devices/access-snapshot/relevant-member-groups.ts';
import { loadEffectiveAccess } from '../../devices/effective-access.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { MemberRow } from '../../storage/schema.ts';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { type PageRequest, pageQueryParameterDescriptions, paginateById } from '../paginated-list-endpoint.ts';

type ListedMember = Pick<MemberRow, 'id' | 'name' | 'is_deleted' | 'starts_at' | 'ends_at'>;

/** Members whose access by one of the groups has not ended. */
const membersOfGroups = async (
  { storage }: BridgeServices,
  organizationId: string,
  groupIds: readonly string[],
  now: number,
  { before, count }: PageRequest,
): Promise<readonly ListedMember[]> => {
  const after = before === null ? sql`` : sql`and m.id < ${before}`;
  const { rows } = await sql<ListedMember>`select m.id, m.name, m.is_deleted, m.starts_at, m.ends_at from members as m
    where m.organization_id = ${organizationId} and m.is_deleted = 0 and (m.ends_at is null or m.ends_at > ${now}) ${after}
      and exists (select 1 from member_group_associations as a where a.member_id = m.id and a.is_deleted = 0
        and (a.ends_at is null or a.ends_at > ${now})
        and ${buildIdInExpression(storage.engine, sql`a.member_group_id`, groupIds)})
    order by m.id desc limit ${count}`.execute(storage.reader);
  return rows;
};

/** Who may open what, when, and why. */
export const createEffectiveAccessEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  const { storage, clock } = services;
  const common = { requiredPermission: 'members.read', tag: 'Access' } as const;
  const lookup = async (organizationId: string) => ({
    db: storage.reader,
    engine: storage.engine,
    structure: await loadOrganizationWithoutMembers(storage.reader, organizationId),
    now: clock(),
  });
  return [
    defineAdminEndpoint({
      ...common,
      method: 'POST',
      path: `${ORGANIZATION_PATH_PREFIX}/access_check`,
      operationId: 'checkAccess',
      summary: 'Explain whether a member may perform an action, without performing it',
      body: accessExplanationRequestSchema,
      response: accessExplanationResponseSchema,
      handle: call => {
        const { body, caller } = call;
        if (roleAllows(caller.role, 'members.write'))
          return writeAsCaller(call, context => explainAndLogAccess(context, body));
        // Who may only read writes no event either.
        const { organizationId } = caller;
        return explainAccess({ db: storage.reader, engine: storage.engine, organizationId, now: clock() }, body);
      },
    }),
    defineAdminEndpoint({
      ...common,
      method: 'GET',
      path: `${ORGANIZATION_PATH_PREFIX}/members/:member_id/access`,
      operationId: 'getMemberAccess',
      summary: 'List the actions that a member may perform now or later',
      response: memberAccessResponseSchema,
      handle: async ({ caller: { organizationId }, params: { member_id = '' } }) => {
        const member = await storage.reader
          .selectFrom('members')
          .select(['id', 'is_deleted', 'starts_at', 'ends_at'])
          .where('organization_id', '=', organizationId)
          .where('id', '=', member_id)
          .executeTakeFirst();
        if (member === undefined) throw createNotFoundError('member', member_id);
        const found = await lookup(organizationId);
        const access = await loadEffectiveAccess(found, [member], [...found.structure.gadgets.values()]);
        return { member_id, ...access.get(member_id)! };
      },
    }),
    defineAdminEndpoint({
      ...common,
      method: 'GET',
      path: `${ORGANIZATION_PATH_PREFIX}/gadgets/:gadget_id/members`,
      operationId: 'listGadgetMembers',
      summary: 'List the members who may use a gadget now or later',
      response: listPageSchema(gadgetMemberResponseSchema),
      query: pageQueryParameterDescriptions,
      handle: async ({ caller: { organizationId }, params: { gadget_id = '' }, query }) => {
        const found = await lookup(organizationId);
        const gadget = found.structure.gadgets.get(gadget_id);
        if (gadget === undefined) throw createNotFoundError('gadget', gadget_id);
        const groups = [...collectRelevantMemberGroups(found.structure, [gadget_id])];
        const page = await paginateById(query, {
          name: `members of ${gadget_id}`,
          read: request => membersOfGroups(services, organizationId, groups, found.now, request),
          idOf: ({ id }) => id,
          toObject: member => ({ ...member }),
        });
        const members = page.data as unknown as readonly ListedMember[];
        const access = await loadEffectiveAccess(found, members, [gadget]);
        const data = members
          .map(({ id, name }) => ({ member_id: id, name, access: access.get(id)?.access ?? [] }))
          .filter(({ access: { length } }) => length > 0);
        return { ...page, data };
      },
    }),
  ];
};
