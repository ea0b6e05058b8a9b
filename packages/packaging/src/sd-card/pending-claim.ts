import { instant } from '@lintel/access-core/instant';
import { bridgeAddress, refuseStrangerWithoutTls } from '@lintel/device-link/bridge-http/bridge-address';
import type { KeptClaim } from '@lintel/device-link/identity/pending-claim';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import { productOf } from '@lintel/hardware-profiles/product-fields';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { UsageError } from '@lintel/service/command-line/command';
import { fingerprintOf } from '@lintel/service/command-line/options';
import { plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import { PrepareError } from './prepare-error.ts';

export interface ClaimRequest {
  readonly bridge: string;
  readonly code: string;
  readonly caFingerprint: string | null;
}

/** Of --bridge, --code and --ca-fingerprint. */
export const claimRequest = (bridge?: string, code?: string, fingerprint?: string): ClaimRequest | null => {
  if (bridge === undefined && code === undefined) {
    if (fingerprint !== undefined) throw new UsageError('--ca-fingerprint goes with --bridge and --code');
    return null;
  }
  if (bridge === undefined || code === undefined) throw new UsageError('--bridge and --code go together');
  return { bridge, code, caFingerprint: fingerprintOf(fingerprint) };
};

const LONGEST_CODE_MS = 30 * 86_400_000;

export const checkClaim = ({ bridge, code }: ClaimRequest): void => {
  if (plainClaimCode(code) === null)
    throw new PrepareError('--code must have twelve letters and digits: 7K3M-0QXW-PT5H');
  try {
    refuseStrangerWithoutTls(bridgeAddress(bridge, ''));
  } catch (error) {
    throw new PrepareError(`--bridge: ${(error as Error).message}`);
  }
};

/** Without a profile only a code for an existing device is accepted, whose product is known. */
const deviceOf = (profile: Profile | null) =>
  profile === null
    ? { product_id: null, revision_id: null }
    : {
        name: profile.name,
        gadgets: [...gadgetsOf(profile)] as NonNullable<KeptClaim['gadgets']>,
        product_id: profile.product_id,
        revision_id: profile.revision,
        product: productOf(profile),
      };

/** `pending-claim.json`: the controller claims itself as soon as it is online. */
export const pendingClaim = (request: ClaimRequest, profile: Profile | null, now: number): string => {
  const { bridge, code, caFingerprint } = request;
  const claim: KeptClaim = {
    v: 1,
    proof: { code, bridgeUrl: bridge, caFingerprint },
    ...deviceOf(profile),
    requested_at: instant(now),
    expires_at: instant(now + LONGEST_CODE_MS),
  };
  return JSON.stringify(claim);
};
