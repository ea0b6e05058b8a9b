import { personalDataResponse } from '@lintel/wire-protocol/admin/personal-data';
import { memberResponse } from '@lintel/wire-protocol/rest/member';
import * as z from 'zod';
import { eraseMember } from '../../personal-data/erase-member.ts';
import { exportMember } from '../../personal-data/export-member.ts';
import type { BridgeServices } from '../../services.ts';
import { actorOf } from '../../transactions/actor.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const personalDataEndpoints = (services: BridgeServices): AdminEndpoint[] => [
  defineAdminEndpoint({
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/members/:member_id/personal_data`,
    tag: 'Members',
    summary: 'Export all data about a member',
    operationId: 'exportMemberPersonalData',
    requiredPermission: 'members.erase',
    response: personalDataResponse,
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
    response: memberResponse,
    handle: async ({ caller, params: { member_id: id = '' } }) => {
      await eraseMember(services.writer, caller.organizationId, actorOf(caller), id);
      return services.reader.get('member', caller, id);
    },
  }),
];
