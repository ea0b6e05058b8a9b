import { randomBytes } from 'node:crypto';
import type { OrganizationId, UserId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import {
  technicianPassResponse,
  type TechnicianPassResponse,
  technicianPassCreate,
} from '@lintel/wire-protocol/admin/technician-pass';
import { encodeTechnicianPass, PASS_LIFETIME_MS } from '@lintel/wire-protocol/claiming/technician-pass';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH } from '../admin-endpoint.ts';
import { canAccessSite } from '../site-access.ts';
import { invalidFieldError } from '../../http/api-error.ts';
import { writeAsCaller } from '../../api/endpoint.ts';
import { getOrCreateOrganizationKey } from '../../resources/organization-keys.ts';
import { requireReference } from '../../transactions/row-operations.ts';

/** Only the event is stored: controllers verify a pass offline, and it expires by itself. */
export const technicianPassEndpoints: readonly AdminEndpoint[] = [
  defineAdminEndpoint({
    requiredPermission: 'input_rules.write',
    method: 'POST',
    path: `${ORGANIZATION_PATH}/technician_passes`,
    tag: 'Claiming',
    summary: 'Issue a technician pass for the controllers of a site; valid for a week, also offline',
    body: technicianPassCreate,
    response: technicianPassResponse,
    handle: async call => {
      const {
        caller,
        body: { site_id },
      } = call;
      if (!canAccessSite(caller, site_id))
        throw invalidFieldError('site_id', `site_id: unknown id ${site_id}`, { id: site_id });
      return writeAsCaller(call, async context => {
        await requireReference(context, 'sites', 'site_id', site_id);
        const organization_id = context.organizationId as OrganizationId;
        const id = `pass_${randomBytes(12).toString('base64url')}`;
        const expires_at = instant(context.now + PASS_LIFETIME_MS);
        const { sign } = await getOrCreateOrganizationKey(context);
        const user_id = caller.userId as UserId | null;
        const content = { v: 1, id, organization_id, site_id, user_id, issued_at: context.now, expires_at } as const;
        context.log({ verb: 'create', object: { type: 'site', site_id }, reason: 'technician_pass' });
        return {
          id,
          organization_id,
          site_id,
          pass: encodeTechnicianPass(content, sign),
          expires_at: toDateTime(expires_at),
        } satisfies TechnicianPassResponse;
      });
    },
  }),
];
