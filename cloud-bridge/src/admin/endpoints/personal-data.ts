import { personalDataResponseSchema } from '@lintel/wire-protocol/admin/member-personal-data-export';
import { memberResponseSchema } from '@lintel/wire-protocol/rest/member';
import * as z from 'zod';
import { eraseMember } from '../../personal-data/erase-member.ts';
import { exportMember } from '../../personal-data/export-member.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { toActor } from '../../transactions/actor.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const createPersonalDataEndpoints = (services: BridgeServices): AdminEndpoint[] => [
  defineAdminEndpoint({
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/members/:member_id/personal_data`,
    tag: 'Members',
    summary: 'Export all data about a member',
    needsFreshLogin: true,
    operationId: 'exportMemberPersonalData',
    requiredPermission: 'members.erase',
    response: personalDataResponseSchema,
    handle: ({ caller, params: { member_id: id = '' } }) => exportMember(services, caller.organizationId, id),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/members/:member_id/erase`,
    tag: 'Members',
    summary: 'Erase all personal data of a member',
    operationId: 'eraseMember',
    requiredPermission: 'members.erase',
    managesOwnTransaction: true,
    body: z.strictObject({}),
    response: memberResponseSchema,
    handle: async ({ caller, params: { member_id: id = '' } }) => {
      await eraseMember(services.writer, caller.organizationId, toActor(caller), id);
      return services.reader.get('member', caller, id);
    },
  }),
];
