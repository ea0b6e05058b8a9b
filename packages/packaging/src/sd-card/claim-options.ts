import { instant } from '@lintel/access-core/instant';
import { getUrlHost, isLoopbackAddress } from '@lintel/device-link/tls/loopback-address';
import { buildBridgeUrl, requireTlsUnlessLoopback } from '@lintel/device-link/bridge-http/bridge-url';
import type { StoredPendingClaim } from '@lintel/device-link/identity/pending-claim';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import { pickNameAndCapabilities } from '@lintel/hardware-profiles/product-fields';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { parseFingerprintOption } from '@lintel/service/command-line/command-arguments';
import { normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

export interface SdCardClaimOptions {
  readonly bridge: string;
  readonly code: string;
  readonly caFingerprint: string | null;
}

/** Of --bridge, --code and --ca-fingerprint. */
export const parseSdCardClaimOptions = (
  bridge?: string,
  code?: string,
  fingerprint?: string,
): SdCardClaimOptions | null => {
  if (bridge === undefined && code === undefined) {
    if (fingerprint !== undefined) throw new UsageError('--ca-fingerprint requires --bridge and --code');
    return null;
  }
  if (bridge === undefined || code === undefined) throw new UsageError('--bridge and --code must be used together');
  return { bridge, code, caFingerprint: parseFingerprintOption(fingerprint) };
};

const LONGEST_CODE_MS = 30 * 86_400_000;

export const requireValidSdCardClaimOptions = ({ bridge, code }: SdCardClaimOptions): void => {
  if (normalizeClaimCode(code) === null)
    throw new SdCardPreparationError('--code must have twelve letters and digits: 7K3M-0QXW-PT5H');
  let address: URL;
  try {
    address = buildBridgeUrl(bridge, '');
    requireTlsUnlessLoopback(address);
  } catch (error) {
    throw new SdCardPreparationError(`--bridge: ${(error as Error).message}`);
  }
  if (isLoopbackAddress(getUrlHost(address)))
    throw new SdCardPreparationError(
      `--bridge: ${address.hostname} is this computer only, so a controller cannot reach it. Start the bridge with "lintel bridge --lan" and use the address that it prints`,
    );
};

/** Without a profile only a code for an existing device is accepted, whose product is known. */
const deviceOf = (profile: Profile | null) =>
  profile === null
    ? { product_id: null, revision_id: null }
    : {
        name: profile.name,
        gadgets: [...toApiGadgets(profile)] as NonNullable<StoredPendingClaim['gadgets']>,
        product_id: profile.product_id,
        revision_id: profile.revision,
        product: pickNameAndCapabilities(profile),
      };

/** `pending-claim.json`: the controller claims itself as soon as it is online. */
export const formatPendingClaimFile = (request: SdCardClaimOptions, profile: Profile | null, now: number): string => {
  const { bridge, code, caFingerprint } = request;
  const claim: StoredPendingClaim = {
    v: 1,
    proof: { code, bridgeUrl: bridge, caFingerprint },
    ...deviceOf(profile),
    requested_at: instant(now),
    expires_at: instant(now + LONGEST_CODE_MS),
  };
  return JSON.stringify(claim);
};
