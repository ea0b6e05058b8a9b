import type { EditRetentionRequest, RetentionResponse } from '@lintel/wire-protocol/admin/retention';
import type { Kysely } from 'kysely';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { OrganizationRetentionRow } from '../storage/retention-schema.ts';
import type { Database } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { computeEffectiveRetention, type RetentionDays, computeRetentionLimits } from '../storage/retention-policy.ts';

export const loadRetentionRows = async (
  db: Kysely<Database>,
): Promise<ReadonlyMap<string, OrganizationRetentionRow>> => {
  const rows = await db.selectFrom('organization_retention').selectAll().execute();
  return new Map(rows.map(row => [row.organization_id, row]));
};

export const findRetentionRow = (
  db: Kysely<Database>,
  organizationId: string,
): Promise<OrganizationRetentionRow | undefined> =>
  db.selectFrom('organization_retention').selectAll().where('organization_id', '=', organizationId).executeTakeFirst();

export const toRetentionResponse = (
  row: OrganizationRetentionRow | undefined,
  installation: RetentionDays,
): RetentionResponse => {
  const limits = computeRetentionLimits(row, installation);
  const effective = computeEffectiveRetention(row, installation);
  return {
    event_days: row?.event_days ?? null,
    delivery_days: row?.delivery_days ?? null,
    event_limit_days: limits.events,
    delivery_limit_days: limits.deliveries,
    effective_event_days: effective.events,
    effective_delivery_days: effective.deliveries,
  };
};

type RetentionChanges = Partial<Omit<OrganizationRetentionRow, 'organization_id'>>;

const describeChanges = (changes: RetentionChanges): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(changes).map(([name, days]) => [name, days === null ? 'default' : String(days)]));

/** Stores the given columns and logs an edit of the organization with the new values as details. */
export const writeRetentionSettings = async (
  context: WriteContext,
  actor: Actor,
  changes: RetentionChanges,
): Promise<OrganizationRetentionRow> => {
  const { db, organizationId } = context;
  const current = (await findRetentionRow(db, organizationId)) ?? {
    organization_id: organizationId,
    event_days: null,
    delivery_days: null,
    event_limit_days: null,
    delivery_limit_days: null,
  };
  const differing = Object.fromEntries(
    Object.entries(changes).filter(([name, days]) => days !== current[name as keyof RetentionChanges]),
  );
  if (Object.keys(differing).length === 0) return current;
  const row = { ...current, ...differing };
  await db
    .insertInto('organization_retention')
    .values(row)
    .onConflict(conflict => conflict.column('organization_id').doUpdateSet(differing))
    .execute();
  context.log(
    { verb: 'edit', object: { type: 'organization', organization_id: organizationId } },
    { ...actor, details: describeChanges(differing) },
  );
  return row;
};

const requireWithin = (
  field: keyof EditRetentionRequest,
  days: number | null | undefined,
  limit: number | null,
): void => {
  if (days == null || limit === null || days <= limit) return;
  throw createInvalidFieldError(field, `must be at most ${limit} days, the limit of the operator of the bridge`, {
    limit: String(limit),
  });
};

/** For owners: within the limits of the operator. */
export const editRetentionSettings = async (
  context: WriteContext,
  actor: Actor,
  installation: RetentionDays,
  { event_days, delivery_days }: EditRetentionRequest,
): Promise<RetentionResponse> => {
  const limits = computeRetentionLimits(await findRetentionRow(context.db, context.organizationId), installation);
  requireWithin('event_days', event_days, limits.events);
  requireWithin('delivery_days', delivery_days, limits.deliveries);
  const changes = {
    ...(event_days === undefined ? {} : { event_days }),
    ...(delivery_days === undefined ? {} : { delivery_days }),
  };
  return toRetentionResponse(await writeRetentionSettings(context, actor, changes), installation);
};
