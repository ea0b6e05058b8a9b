import type { DeviceId, OrganizationId, SiteId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import { plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import { bridgeAddress } from '../bridge-http/bridge-address.ts';
import { type ClaimedThing, type ClaimProof, readTicket, redeem, type UnclaimedDevice } from './claim-client.ts';
import { ClaimError } from '../bridge-http/claim-error.ts';
import type { Membership, MembershipFile } from './membership.ts';
import { type KeptClaim, type PendingClaimFile, proofOf, thingOf } from './pending-claim.ts';

export interface ClaimingOptions {
  readonly membership: MembershipFile;
  readonly pending: PendingClaimFile;
  /** Asked at each attempt. Throws where the identity is damaged. */
  readonly device: () => UnclaimedDevice;
  /** Kept time. */
  readonly now: () => number;
  /** What tickets and certificates are checked against, where kept time may be somebody's lie. */
  readonly signedNow?: () => number;
  readonly random: () => number;
  readonly log: Log;
  readonly timers?: Timers;
  readonly redeem?: typeof redeem;
  /** Ways to the bridge where there is no direct one. */
  readonly proxies?: () => readonly string[];
}

export type ClaimRequest = ClaimProof & {
  readonly thing: ClaimedThing;
  /** Also where the device is claimed already. */
  readonly replaces?: boolean;
};

/** What a technician sees of a claim that waits. Neither ticket nor code. */
export interface PendingClaim {
  readonly bridge_url: string;
  /** As far as the ticket says it. */
  readonly organization_id: OrganizationId | null;
  readonly site_id: SiteId | null;
  readonly device_id: DeviceId | null;
  readonly requested_at: number;
  readonly expires_at: number;
  readonly attempts: number;
  readonly last_problem: string | null;
}

export interface EndedClaim {
  readonly message: string;
  readonly field: string | null;
  readonly at: number;
}

const LONGEST_CODE_MS = 30 * 86_400_000;
const RETRY = { firstMs: 2000, longestMs: 5 * 60_000 };
const noWork = (): void => undefined;

const refused = (path: string, code: string, message: string): Result<never> => failed([problem(path, code, message)]);

/** From the ticket in a technician's hand to a device of the organization, with or without a line right now. */
export class Claiming {
  readonly #options: ClaimingOptions;
  readonly #backoff: Backoff;
  readonly #timers: Timers;
  readonly #handlers: Array<(membership: Membership) => void> = [];
  #claim: KeptClaim | null = null;
  #attempts = 0;
  #lastProblem: string | null = null;
  #ended: EndedClaim | null = null;
  #cancelWait = noWork;
  #stopping = new AbortController();

  constructor(options: ClaimingOptions) {
    this.#options = options;
    this.#backoff = new Backoff(RETRY, options.random);
    this.#timers = options.timers ?? processTimers;
  }

  /** Goes on with a claim that waited when the device went off. */
  start(): void {
    this.#stopping = new AbortController();
    this.#claim = this.#options.pending.read();
    if (this.#claim !== null) this.#soon(0);
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelWait();
    this.#claim = null;
  }

  /** Checked as far as it can be without a line, kept, and tried from now on. */
  requestClaim(request: ClaimRequest): Result<PendingClaim> {
    const { membership, pending, now } = this.#options;
    const held = membership.read();
    if (held.ok && held.value !== null && request.replaces !== true) {
      return refused('', 'already_claimed', `This device is ${held.value.device_id} already`);
    }
    const checked = this.#checked(request);
    if (!checked.ok) return checked;
    const { thing } = request;
    const claim: KeptClaim = {
      v: 1,
      proof: checked.value.proof,
      product_id: thing.productId,
      revision_id: thing.revisionId,
      ...(thing.product === undefined ? {} : { product: thing.product }),
      ...(thing.name === undefined ? {} : { name: thing.name }),
      ...(thing.gadgets === undefined ? {} : { gadgets: thing.gadgets as NonNullable<KeptClaim['gadgets']> }),
      requested_at: instant(now()),
      expires_at: instant(checked.value.expiresAt),
    };
    pending.write(claim);
    this.#claim = claim;
    this.#attempts = 0;
    this.#lastProblem = null;
    this.#ended = null;
    this.#backoff.reset();
    this.#soon(0);
    return ok(this.#viewOf(claim));
  }

  #signedNow(): number {
    return (this.#options.signedNow ?? this.#options.now)();
  }

  #checked(request: ClaimRequest): Result<{ readonly proof: ClaimProof; readonly expiresAt: number }> {
    const now = this.#signedNow();
    if ('ticket' in request) {
      const read = readTicket(request.ticket, now);
      if (!read.ok) return refused('ticket', read.problems[0]?.code ?? 'invalid', 'The ticket is damaged or too old');
      return ok({ proof: { ticket: request.ticket }, expiresAt: read.value.expires_at });
    }
    const { code, bridgeUrl, caFingerprint } = request;
    if (plainClaimCode(code) === null) return refused('code', 'invalid_code', 'A code has twelve letters and digits');
    try {
      bridgeAddress(bridgeUrl, '');
    } catch (error) {
      return refused('bridge_url', 'invalid_url', (error as Error).message);
    }
    return ok({ proof: { code, bridgeUrl, caFingerprint }, expiresAt: now + LONGEST_CODE_MS });
  }

  pendingClaim(): PendingClaim | null {
    return this.#claim === null ? null : this.#viewOf(this.#claim);
  }

  /** Why the last claim came to nothing. */
  get endedClaim(): EndedClaim | null {
    return this.#ended;
  }

  onClaimed(handler: (membership: Membership) => void): void {
    this.#handlers.push(handler);
  }

  cancel(): void {
    this.#cancelWait();
    this.#claim = null;
    this.#options.pending.remove();
  }

  #viewOf({ proof, requested_at, expires_at }: KeptClaim): PendingClaim {
    const read = 'ticket' in proof ? readTicket(proof.ticket, Number.NEGATIVE_INFINITY) : null;
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

  #soon(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#timers.after(ms, () => void this.#attempt());
  }

  #end(failure: Omit<EndedClaim, 'at'>): void {
    this.#ended = { ...failure, at: this.#options.now() };
    this.#options.log('error', 'the claim came to nothing', { why: failure.message });
    this.cancel();
  }

  async #attempt(): Promise<void> {
    const { device, log, proxies } = this.#options;
    const claim = this.#claim;
    if (claim === null) return;
    const now = this.#signedNow();
    if (claim.expires_at <= now) return this.#end({ message: 'The ticket became too old', field: 'ticket' });
    this.#attempts += 1;
    try {
      const claimed = await (this.#options.redeem ?? redeem)(proofOf(claim), device(), thingOf(claim), {
        now,
        signal: this.#stopping.signal,
        ...(proxies === undefined ? {} : { proxies: proxies() }),
      });
      if (this.#claim === claim) this.#succeed(claimed);
    } catch (error) {
      if (this.#claim !== claim) return;
      const { message } = error as Error;
      if (error instanceof ClaimError && error.isFinal) return this.#end({ message, field: error.field });
      if (message !== this.#lastProblem) log('warn', 'the claim waits', { why: message });
      this.#lastProblem = message;
      this.#soon(this.#backoff.next());
    }
  }

  #succeed(claimed: Membership): void {
    const { membership, pending, log } = this.#options;
    membership.write(claimed);
    pending.remove();
    this.#claim = null;
    log('info', 'claimed', { device_id: claimed.device_id, organization_id: claimed.organization_id });
    for (const handler of this.#handlers) handler(claimed);
  }
}
