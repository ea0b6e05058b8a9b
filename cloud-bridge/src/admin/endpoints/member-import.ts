import { importMembersRequestSchema, importMembersResponseSchema } from '@lintel/wire-protocol/admin/member-import';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { importMembers, previewMemberImport } from '../../resources/member-import.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const createMemberImportEndpoint = (services: Pick<BridgeServices, 'publicUrl'>): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'members.write',
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/member_import`,
    tag: 'Members',
    operationId: 'importMembers',
    summary: 'Create members with emails, groups, PINs and magic links, all or none, or only check them',
    body: importMembersRequestSchema,
    response: importMembersResponseSchema,
    handle: call =>
      writeAsCaller(call, context =>
        call.body.dry_run
          ? previewMemberImport(context, call.body)
          : importMembers(context, call.body, services.publicUrl),
      ),
  });
