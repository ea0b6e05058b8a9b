import { createQuotaError, SharedQuota } from '../http/shared-quota.ts';
import type { Storage } from '../storage/open-storage.ts';

/** Each kind has a budget of its own, so that one kind does not delay another. */
export type MailKind = 'alert' | 'login_code' | 'other';

const DEFAULT_MAILS_PER_HOUR = 5000;
const ORGANIZATION_SHARE = 0.1;
/** The part of an organization that no other organization can use up. */
const RESERVED_SHARE = 0.004;
const HOUR_MS = 3_600_000;

export const MAIL_BUDGET_ERROR = 'the budget for mails of the organization or the bridge is used up';

/** Limits the mails that organizations send through the mail server of the operator. */
export class MailBudget {
  readonly #clock: () => number;
  readonly #reserved: number;
  readonly #organizations: SharedQuota;
  readonly #bridge: SharedQuota;
  readonly #accounts: SharedQuota;

  constructor(storage: Storage, clock: () => number, mailsPerHour = DEFAULT_MAILS_PER_HOUR) {
    const ofOrganization = Math.ceil(mailsPerHour * ORGANIZATION_SHARE);
    this.#clock = clock;
    this.#reserved = Math.ceil(mailsPerHour * RESERVED_SHARE);
    this.#organizations = new SharedQuota(storage, 'mail/organization', { count: ofOrganization, periodMs: HOUR_MS });
    this.#bridge = new SharedQuota(storage, 'mail/bridge', { count: mailsPerHour, periodMs: HOUR_MS });
    this.#accounts = new SharedQuota(storage, 'mail/accounts', { count: mailsPerHour, periodMs: HOUR_MS });
  }

  /** Counts one mail and returns 0, or the milliseconds until the next period. */
  async take(kind: MailKind, organizationId: string): Promise<number> {
    const now = this.#clock();
    const own = await this.#organizations.take(`${kind} ${organizationId}`, now);
    if (own.waitMs > 0 || own.count <= this.#reserved) return own.waitMs;
    return (await this.#bridge.take(kind, now)).waitMs;
  }

  /** Throws an `ApiError` if the budget is used up. */
  async require(kind: MailKind, organizationId: string): Promise<void> {
    const waitMs = await this.take(kind, organizationId);
    if (waitMs === 0) return;
    throw createQuotaError('mails', `Too many mails: ${MAIL_BUDGET_ERROR}. Try again later`, waitMs);
  }

  /** For password resets, which belong to no organization. */
  async takeForAccount(): Promise<boolean> {
    return (await this.#accounts.take('', this.#clock())).waitMs === 0;
  }
}
