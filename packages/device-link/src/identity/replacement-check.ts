import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@lintel/access-core/durations';
import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import {
  type ControllerReplacement,
  controllerReplacementResponseSchema,
  encodeControllerReplacementSigningBytes,
  readVerifiedControllerReplacement,
} from '@lintel/wire-protocol/claiming/controller-replacement';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import type { BridgeHttpOptions } from '../bridge-http/bridge-connection.ts';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import { postClaimOrRenewal, requireParsedClaimOrRenewalResponse } from '../bridge-http/post-claim-or-renewal.ts';
import type { DeviceEnrollment } from './device-enrollment.ts';
import type { DeviceKeys } from './device-keys.ts';

const NONCE_BYTES = 16;
const RETRY = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };

export interface ReplacementCheckOptions {
  readonly enrolled: () => { readonly enrollment: DeviceEnrollment; readonly keys: DeviceKeys } | null;
  /** Trusted time. */
  readonly now: () => number;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly random: () => number;
  readonly proxies: () => readonly string[];
  /** Of the technician page; null if it is not served. */
  readonly address: () => string | null;
  /** The organization has signed that another controller has taken the place of this one. */
  readonly onReplaced: (replacement: ControllerReplacement) => void;
  readonly log: Log;
}

type Terms = Omit<BridgeHttpOptions, 'trust'>;

/** Null if no other controller has taken its place. Throws a ClaimOrRenewalError, also for a statement that is not signed. */
const requestReplacement = async (
  { enrollment, keys }: { readonly enrollment: DeviceEnrollment; readonly keys: DeviceKeys },
  address: string | null,
  terms: Terms,
): Promise<ControllerReplacement | null> => {
  const { device_id, serial, bridge_url, ca_fingerprint, ca_certificate, organization_key } = enrollment;
  const asked = { device_id, serial, nonce: randomBytes(NONCE_BYTES).toString('base64url'), address };
  const signature = Buffer.from(keys.sign(encodeControllerReplacementSigningBytes(asked))).toString('base64url');
  const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
  const body = { v: 1, ...asked, signature };
  const said = await postClaimOrRenewal(bridge_url, 'claim/v1/replacement', body, { ...terms, trust });
  const { replacement } = requireParsedClaimOrRenewalResponse(
    parseWithSchema(controllerReplacementResponseSchema, said),
  );
  if (replacement === null) return null;
  const statement = readVerifiedControllerReplacement(replacement, asked, (bytes, signed) =>
    verifyEd25519(organization_key, bytes, signed),
  );
  if (statement.ok) return statement.value;
  throw new ClaimOrRenewalError('The statement about a replacement is not signed by the organization', false);
};

/** Asks the bridge whether this controller was replaced, when its login is refused. */
export class ReplacementCheck {
  readonly #options: ReplacementCheckOptions;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  #isAsking = false;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(options: ReplacementCheckOptions) {
    this.#options = options;
    this.#backoff = new Backoff(RETRY, options.random);
  }

  /** Called at every refused login. Asks at most as often as the backoff permits, and daily once it is known. */
  onRefused(): void {
    if (this.#isAsking || this.#options.clock.now() < this.#notBefore) return;
    void this.#ask();
  }

  /** The next refused login is asked about at once. */
  reset(): void {
    this.#backoff.reset();
    this.#notBefore = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #ask(): Promise<void> {
    const { enrolled, now, clock, proxies, address, onReplaced, log } = this.#options;
    const current = enrolled();
    if (current === null) return;
    this.#isAsking = true;
    let waitMs = this.#backoff.next();
    try {
      const { signal } = this.#stopping;
      const found = await requestReplacement(current, address(), { now: now(), proxies: proxies(), signal });
      if (signal.aborted || found === null) return;
      waitMs = DAY_MS;
      const replaced_at = new Date(found.replaced_at).toISOString();
      log('error', 'This controller was replaced by another. Claim it again to use it', { replaced_at });
      onReplaced(found);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log('warn', 'The broker refuses this controller, and the bridge did not say why', {
        why: (error as Error).message,
      });
    } finally {
      this.#isAsking = false;
      this.#notBefore = clock.now() + waitMs;
    }
  }
}
