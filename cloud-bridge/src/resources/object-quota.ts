import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { ApiError } from '../http/api-error.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

interface ObjectQuota {
  readonly most: number;
  readonly name: string;
  readonly remedy: string;
  /** The rows that count. */
  readonly counted: (now: number) => RawBuilder<SqlBool>;
}

const notDeleted = (): RawBuilder<SqlBool> => sql`is_deleted = 0`;

/** Objects that cost the bridge work for each event or at each check, or that let somebody act. */
const quotas = {
  alert_rules: { most: 100, name: 'alert rules', remedy: 'Delete one', counted: notDeleted },
  oauth_applications: { most: 100, name: 'applications', remedy: 'Delete one', counted: notDeleted },
  webhooks: { most: 200, name: 'webhooks', remedy: 'Delete one', counted: notDeleted },
  claim_tickets: {
    most: 1000,
    name: 'open claim tickets',
    remedy: 'Revoke one',
    counted: now => sql`redeemed_at is null and revoked_at is null and expires_at > ${now}`,
  },
} as const satisfies Readonly<Record<string, ObjectQuota>>;

/** Throws an `ApiError` if the organization has as many of them as it can have. */
export const requireObjectQuota = async (
  { db, organizationId, now }: WriteContext,
  table: keyof typeof quotas,
): Promise<void> => {
  const { most, name, remedy, counted } = quotas[table] as ObjectQuota;
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where organization_id = ${organizationId} and ${counted(now)}`.execute(db);
  if ((rows[0]?.count ?? 0) < most) return;
  throw new ApiError('invalid_request', `An organization can have at most ${most} ${name}. ${remedy} first`);
};
