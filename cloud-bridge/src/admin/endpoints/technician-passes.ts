import { randomBytes } from 'node:crypto';
import type { DeviceId, OrganizationId, UserId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { isCanonicalPublicKey } from '@lintel/crypto/public-key';
import {
  technicianPassResponseSchema,
  type TechnicianPassResponse,
  createTechnicianPassRequestSchema,
} from '@lintel/wire-protocol/admin/technician-pass';
import { signTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { canAccessSite } from '../site-access.ts';
import { createInvalidFieldError, createUnknownReferenceError } from '../../http/api-error.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { getOrCreateOrganizationSigningKey } from '../../resources/organization-signing-keys.ts';
import { requireReferencedRow } from '../../transactions/row-operations.ts';

/** A pass is verified offline, so nothing ends it early. */
const LONG_PASS_SECONDS = 86_400;

/** Only the event is stored: controllers verify a pass offline, and it expires by itself. */
export const technicianPassEndpoints: readonly AdminEndpoint[] = [
  defineAdminEndpoint({
    requiredPermission: 'technician_passes.write',
    needsFreshLogin: ({ expires_in }) => expires_in > LONG_PASS_SECONDS,
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/technician_passes`,
    tag: 'Claiming',
    summary: 'Issue a technician pass: a certificate of a technician key for the controllers of a site',
    body: createTechnicianPassRequestSchema,
    response: technicianPassResponseSchema,
    handle: async call => {
      const {
        caller,
        body: { site_id, public_key, expires_in },
      } = call;
      const device_id: DeviceId | null = call.body.device_id ?? null;
      if (!canAccessSite(caller, site_id)) throw createUnknownReferenceError('site_id', site_id);
      if (!isCanonicalPublicKey('P-256', public_key))
        throw createInvalidFieldError('public_key', 'must be a point of the curve P-256');
      return writeAsCaller(call, async context => {
        await requireReferencedRow(context, 'sites', 'site_id', site_id);
        if (device_id !== null) {
          const device = await requireReferencedRow(context, 'devices', 'device_id', device_id);
          if (device.site_id !== site_id)
            throw createInvalidFieldError('device_id', `refers to the device ${device_id}, which is at another site`, {
              id: device_id,
            });
        }
        const organization_id = context.organizationId as OrganizationId;
        const id = `pass_${randomBytes(12).toString('base64url')}`;
        const expires_at = instant(context.now + expires_in * 1_000);
        const { sign } = await getOrCreateOrganizationSigningKey(context);
        const user_id = caller.userId as UserId | null;
        const user = await context.db.selectFrom('users').select('name').where('id', '=', user_id).executeTakeFirst();
        const holder = { user_id, user_name: user?.name ?? null, public_key } as const;
        const place = { organization_id, site_id, device_id } as const;
        const content = { v: 1, id, ...place, ...holder, issued_at: context.now, expires_at } as const;
        const device = device_id === null ? {} : { device_id };
        context.log({
          verb: 'create',
          object: { type: 'technician_pass', technician_pass_id: id, site_id, ...device },
        });
        return {
          id,
          ...place,
          pass: signTechnicianPass(content, sign),
          expires_at: toDateTime(expires_at),
        } satisfies TechnicianPassResponse;
      });
    },
  }),
];
