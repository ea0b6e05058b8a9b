import { instant } from '@lintel/access-core/instant';
import { bridgeAddress, refuseStrangerWithoutTls } from '@lintel/device-link/bridge-http/bridge-post';
import type { KeptClaim } from '@lintel/device-link/identity/pending-claim';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import { productOf } from '@lintel/hardware-profiles/product-fields';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import { PrepareProblem } from './prepare-problem.ts';

export interface ClaimOrder {
  readonly bridge: string;
  readonly code: string;
  readonly caFingerprint: string | null;
}

const LONGEST_CODE_MS = 30 * 86_400_000;

export const checkClaim = ({ bridge, code }: ClaimOrder): void => {
  if (plainClaimCode(code) === null)
    throw new PrepareProblem('--code must have twelve letters and digits: 7K3M-0QXW-PT5H');
  try {
    refuseStrangerWithoutTls(bridgeAddress(bridge, ''));
  } catch (error) {
    throw new PrepareProblem(`--bridge: ${(error as Error).message}`);
  }
};

/** Without a profile only a code that was made for a device will do: that one has a product already. */
const thingOf = (profile: Profile | null) =>
  profile === null
    ? { product_id: null, revision_id: null }
    : {
        name: profile.name,
        gadgets: [...gadgetsOf(profile)] as NonNullable<KeptClaim['gadgets']>,
        product_id: profile.product_id,
        revision_id: profile.revision,
        product: productOf(profile),
      };

/** `pending-claim.json`, as if the technician had typed it: the controller claims itself when it has a line. */
export const queuedClaim = (order: ClaimOrder, profile: Profile | null, now: number): string => {
  const { bridge, code, caFingerprint } = order;
  const claim: KeptClaim = {
    v: 1,
    proof: { code, bridgeUrl: bridge, caFingerprint },
    ...thingOf(profile),
    requested_at: instant(now),
    expires_at: instant(now + LONGEST_CODE_MS),
  };
  return JSON.stringify(claim);
};
