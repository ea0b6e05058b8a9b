import { pinReachAnswer } from '@lintel/wire-protocol/admin/pin-reach';
import type { Account } from '../../accounts/account.ts';
import { type AccountEndpoint, adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { membershipOf } from '../../accounts/membership.ts';
import { isOwnSite } from '../own-sites.ts';
import { allows } from '../../accounts/role-permissions.ts';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { Services } from '../../services.ts';
import type { MemberPinRow } from '../../storage/schema.ts';
import { pinReach } from '../../devices/pin-reach.ts';

const description = {
  method: 'GET',
  tag: 'Members',
  summary: 'Which doors have a PIN, by the word of their controllers',
  answer: pinReachAnswer,
} as const;

const findPin = ({ storage }: Services, id: string): Promise<MemberPinRow | undefined> =>
  storage.reader.selectFrom('member_pins').selectAll().where('id', '=', id).executeTakeFirst();

export const reachEndpoints = (services: Services): AdminEndpoint[] => [
  adminEndpoint({
    ...description,
    needs: 'devices.read',
    path: `${ORGANIZATION}/pins/:member_pin_id/reach`,
    handle: async ({ caller, params: { member_pin_id: id = '' } }) => {
      const pin = await findPin(services, id);
      if (pin?.organization_id !== caller.organizationId) throw notFound('member_pin', id);
      return pinReach(services, pin, siteId => isOwnSite(caller, siteId));
    },
  }),
];

/** The same without naming the organization: a PIN has only one. */
export const shortReachEndpoint = (services: Services): AccountEndpoint =>
  endpoint<never, Account>({
    ...description,
    path: '/pins/:member_pin_id/reach',
    handle: async ({ caller, params: { member_pin_id: id = '' } }) => {
      const pin = await findPin(services, id);
      const membership =
        pin === undefined ? null : await membershipOf(services.storage.reader, pin.organization_id, caller);
      if (pin === undefined || membership === null || !allows(membership.role, 'devices.read')) {
        throw notFound('member_pin', id);
      }
      const { siteIds } = membership;
      return pinReach(services, pin, siteId => siteIds === null || siteIds.includes(siteId));
    },
  });
