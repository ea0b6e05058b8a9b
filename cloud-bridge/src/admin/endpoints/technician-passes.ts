import { randomBytes } from 'node:crypto';
import type { OrganizationId, UserId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import {
  technicianPassAnswer,
  type TechnicianPassAnswer,
  technicianPassCreate,
} from '@lintel/wire-protocol/admin/technician-pass';
import { encodeTechnicianPass, PASS_LIFETIME_MS } from '@lintel/wire-protocol/claiming/technician-pass';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { isOwnSite } from '../own-sites.ts';
import { invalid } from '../../http/api-error.ts';
import { writeFor } from '../../api/endpoint.ts';
import { organizationKey } from '../../resources/organization-keys.ts';
import { requireReference } from '../../transactions/rows.ts';

/** Nothing is kept of a pass but the event: controllers check it without the bridge, and it ends by itself. */
export const technicianPassEndpoints: readonly AdminEndpoint[] = [
  adminEndpoint({
    needs: 'input_rules.write',
    method: 'POST',
    path: `${ORGANIZATION}/technician_passes`,
    tag: 'Claiming',
    summary: 'Issue a pass for the controllers of a site, good for a week and without the internet',
    body: technicianPassCreate,
    answer: technicianPassAnswer,
    handle: async call => {
      const {
        caller,
        body: { site_id },
      } = call;
      if (!isOwnSite(caller, site_id)) throw invalid('site_id', `site_id: there is no ${site_id}`, { id: site_id });
      return writeFor(call, async context => {
        await requireReference(context, 'sites', 'site_id', site_id);
        const organization_id = context.organizationId as OrganizationId;
        const id = `pass_${randomBytes(12).toString('base64url')}`;
        const expires_at = instant(context.now + PASS_LIFETIME_MS);
        const { sign } = await organizationKey(context);
        const user_id = caller.userId as UserId | null;
        const content = { v: 1, id, organization_id, site_id, user_id, issued_at: context.now, expires_at } as const;
        context.log({ verb: 'create', object: { type: 'site', site_id }, reason: 'technician_pass' });
        return {
          id,
          organization_id,
          site_id,
          pass: encodeTechnicianPass(content, sign),
          expires_at: dateTimeOf(expires_at),
        } satisfies TechnicianPassAnswer;
      });
    },
  }),
];
