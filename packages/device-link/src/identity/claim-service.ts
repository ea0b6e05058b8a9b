import type { DeviceId, OrganizationId, SiteId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import { normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log-function-type';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import { readVerifiedClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import { buildBridgeUrl } from '../bridge-http/bridge-url.ts';
import {
  type DeviceDescription,
  type ClaimProof,
  requestClaimRedemption,
  type UnclaimedDeviceIdentity,
} from './claim-client.ts';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import type { DeviceEnrollment, EnrollmentFile } from './device-enrollment.ts';
import { type StoredPendingClaim, type PendingClaimFile, toClaimProof, toDeviceDescription } from './pending-claim.ts';

export interface ClaimServiceOptions {
  readonly enrollmentFile: EnrollmentFile;
  readonly pendingFile: PendingClaimFile;
  /** Called at each attempt. Throws when the identity is damaged. */
  readonly device: () => UnclaimedDeviceIdentity;
  /** Current time. */
  readonly now: () => number;
  /** Time set by the bridge, for checks of tickets and certificates. Default: `now`. */
  readonly signedNow?: () => number;
  readonly random: () => number;
  readonly log: Log;
  readonly timers?: Timers;
  readonly redeem?: typeof requestClaimRedemption;
  /** Proxies to the bridge without a direct connection. */
  readonly proxies?: () => readonly string[];
}

export type DeviceClaimRequest = ClaimProof & {
  readonly description: DeviceDescription;
  /** Replaces an existing claim. */
  readonly replaces?: boolean;
};

/** A waiting claim for display, without ticket and code. */
export interface PendingClaimSummary {
  readonly bridge_url: string;
  /** From the ticket. */
  readonly organization_id: OrganizationId | null;
  readonly site_id: SiteId | null;
  readonly device_id: DeviceId | null;
  readonly requested_at: number;
  readonly expires_at: number;
  readonly attempts: number;
  readonly last_problem: string | null;
}

export interface FailedClaim {
  readonly message: string;
  readonly field: string | null;
  readonly at: number;
}

const LONGEST_CODE_MS = 30 * 86_400_000;
const RETRY = { firstMs: 2000, longestMs: 5 * 60_000 };
const noWork = (): void => undefined;

const rejected = (path: string, code: string, message: string): Result<never> =>
  failed([createProblem(path, code, message)]);

/** Claims the device with a ticket or a code, and retries until the bridge responds. */
export class ClaimService {
  readonly #options: ClaimServiceOptions;
  readonly #backoff: Backoff;
  readonly #timers: Timers;
  readonly #handlers: Array<(enrollment: DeviceEnrollment) => void> = [];
  #claim: StoredPendingClaim | null = null;
  #attempts = 0;
  #lastProblem: string | null = null;
  #failed: FailedClaim | null = null;
  #cancelWait = noWork;
  #stopping = new AbortController();

  constructor(options: ClaimServiceOptions) {
    this.#options = options;
    this.#backoff = new Backoff(RETRY, options.random);
    this.#timers = options.timers ?? processTimers;
  }

  /** Resumes a claim that was waiting before a restart. */
  start(): void {
    this.#stopping = new AbortController();
    this.#claim = this.#options.pendingFile.read();
    if (this.#claim !== null) this.#attemptIn(0);
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelWait();
    this.#claim = null;
  }

  /** Checks the request offline, saves it, and starts attempts. */
  requestClaim(request: DeviceClaimRequest): Result<PendingClaimSummary> {
    const { enrollmentFile, pendingFile, now } = this.#options;
    const held = enrollmentFile.read();
    if (held.ok && held.value !== null && request.replaces !== true) {
      return rejected('', 'already_claimed', `This device is already enrolled as ${held.value.device_id}`);
    }
    const checked = this.#check(request);
    if (!checked.ok) return checked;
    const { description } = request;
    const claim: StoredPendingClaim = {
      v: 1,
      proof: checked.value.proof,
      product_id: description.productId,
      revision_id: description.revisionId,
      ...(description.product === undefined ? {} : { product: description.product }),
      ...(description.name === undefined ? {} : { name: description.name }),
      ...(description.gadgets === undefined
        ? {}
        : { gadgets: description.gadgets as NonNullable<StoredPendingClaim['gadgets']> }),
      requested_at: instant(now()),
      expires_at: instant(checked.value.expiresAt),
    };
    pendingFile.write(claim);
    this.#claim = claim;
    this.#attempts = 0;
    this.#lastProblem = null;
    this.#failed = null;
    this.#backoff.reset();
    this.#attemptIn(0);
    return ok(this.#viewOf(claim));
  }

  #signedNow(): number {
    return (this.#options.signedNow ?? this.#options.now)();
  }

  #check(request: DeviceClaimRequest): Result<{ readonly proof: ClaimProof; readonly expiresAt: number }> {
    const now = this.#signedNow();
    if ('ticket' in request) {
      const read = readVerifiedClaimTicket(request.ticket, verifyEd25519, now);
      if (!read.ok)
        return rejected('ticket', read.problems[0]?.code ?? 'invalid', 'The ticket is damaged or has expired');
      return ok({ proof: { ticket: request.ticket }, expiresAt: read.value.expires_at });
    }
    const { code, bridgeUrl, caFingerprint } = request;
    if (normalizeClaimCode(code) === null)
      return rejected('code', 'invalid_code', 'A code has twelve letters and digits');
    try {
      buildBridgeUrl(bridgeUrl, '');
    } catch (error) {
      return rejected('bridge_url', 'invalid_url', (error as Error).message);
    }
    return ok({ proof: { code, bridgeUrl, caFingerprint }, expiresAt: now + LONGEST_CODE_MS });
  }

  pendingClaim(): PendingClaimSummary | null {
    return this.#claim === null ? null : this.#viewOf(this.#claim);
  }

  /** Why the last claim failed. */
  get failedClaim(): FailedClaim | null {
    return this.#failed;
  }

  onClaimed(handler: (enrollment: DeviceEnrollment) => void): void {
    this.#handlers.push(handler);
  }

  cancel(): void {
    this.#cancelWait();
    this.#claim = null;
    this.#options.pendingFile.remove();
  }

  #viewOf({ proof, requested_at, expires_at }: StoredPendingClaim): PendingClaimSummary {
    const read =
      'ticket' in proof ? readVerifiedClaimTicket(proof.ticket, verifyEd25519, Number.NEGATIVE_INFINITY) : null;
    const ticket = read?.ok === true ? read.value : null;
    return {
      bridge_url: 'ticket' in proof ? (ticket?.bridge_url ?? '') : proof.bridgeUrl,
      organization_id: ticket?.organization_id ?? null,
      site_id: ticket?.site_id ?? null,
      device_id: ticket?.device_id ?? null,
      requested_at,
      expires_at,
      attempts: this.#attempts,
      last_problem: this.#lastProblem,
    };
  }

  #attemptIn(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#timers.after(ms, () => this.#attempt());
  }

  #fail(failure: Omit<FailedClaim, 'at'>): void {
    this.#failed = { ...failure, at: this.#options.now() };
    this.#options.log('error', 'The claim failed', { why: failure.message });
    this.cancel();
  }

  async #attempt(): Promise<void> {
    const { device, log, proxies } = this.#options;
    const claim = this.#claim;
    if (claim === null) return;
    const now = this.#signedNow();
    if (claim.expires_at <= now) return this.#fail({ message: 'The ticket has expired', field: 'ticket' });
    this.#attempts += 1;
    try {
      const claimed = await (this.#options.redeem ?? requestClaimRedemption)(
        toClaimProof(claim),
        device(),
        toDeviceDescription(claim),
        {
          now,
          signal: this.#stopping.signal,
          ...(proxies === undefined ? {} : { proxies: proxies() }),
        },
      );
      if (this.#claim === claim) this.#succeed(claimed);
    } catch (error) {
      if (this.#claim !== claim) return;
      const { message } = error as Error;
      if (error instanceof ClaimOrRenewalError && error.isFinal) return this.#fail({ message, field: error.field });
      if (message !== this.#lastProblem) log('warn', 'The claim is waiting', { why: message });
      this.#lastProblem = message;
      this.#attemptIn(this.#backoff.next());
    }
  }

  #succeed(claimed: DeviceEnrollment): void {
    const { enrollmentFile, pendingFile, log } = this.#options;
    enrollmentFile.write(claimed);
    pendingFile.remove();
    this.#claim = null;
    log('info', 'Claimed', { device_id: claimed.device_id, organization_id: claimed.organization_id });
    for (const handler of this.#handlers) handler(claimed);
  }
}
