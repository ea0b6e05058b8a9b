import type { MemberCredentialDeliveryResponse } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { useApiObject } from '../api/resource-hooks.ts';

/** Controllers confirm a change a moment after it happened, without an event. */
export const CONFIRMATION_RELOAD_MS = 3_000;

/** Which controllers have which credentials of the member. */
export const useMemberCredentialDelivery = (memberId: string, isEnabled = true) =>
  useApiObject<MemberCredentialDeliveryResponse>(
    'member',
    `/members/${memberId}/delivery`,
    {},
    isEnabled,
    CONFIRMATION_RELOAD_MS,
  );
