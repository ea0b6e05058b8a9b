import { DAY_MS } from '@lintel/access-core/durations';
import type { OrganizationRetentionRow } from './retention-schema.ts';

/** Number of days that records are kept. Null: without end. */
export interface RetentionDays {
  readonly events: number | null;
  readonly deliveries: number | null;
}

export const defaultRetentionDays: RetentionDays = { events: null, deliveries: 30 };

/** No limit, as the operator sets it for one organization. */
export const UNLIMITED_RETENTION_DAYS = 0;

const limitOf = (own: number | null | undefined, installation: number | null): number | null => {
  if (own == null) return installation;
  return own === UNLIMITED_RETENTION_DAYS ? null : own;
};

/** The longest retention that an organization may choose: the operator's value for it, or the option of the bridge. */
export const computeRetentionLimits = (
  row: OrganizationRetentionRow | undefined,
  installation: RetentionDays,
): RetentionDays => ({
  events: limitOf(row?.event_limit_days, installation.events),
  deliveries: limitOf(row?.delivery_limit_days, installation.deliveries),
});

const shorter = (chosen: number | null | undefined, limit: number | null): number | null => {
  if (chosen == null) return limit;
  return limit === null ? chosen : Math.min(chosen, limit);
};

/** The retention that applies. A limit that became shorter later takes precedence over the owner's choice. */
export const computeEffectiveRetention = (
  row: OrganizationRetentionRow | undefined,
  installation: RetentionDays,
): RetentionDays => {
  const limits = computeRetentionLimits(row, installation);
  return {
    events: shorter(row?.event_days, limits.events),
    deliveries: shorter(row?.delivery_days, limits.deliveries),
  };
};

/** Records from before this time are deleted; null if none are. */
export const computeRetentionCutoff = (days: number | null, now: number): number | null =>
  days === null ? null : now - days * DAY_MS;
