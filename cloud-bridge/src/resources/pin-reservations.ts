import { listShorterPins } from '@lintel/access-core/pin-digits';
import type { Kysely } from 'kysely';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { DerivedKeys } from '../secrets/master-keys.ts';
import { computeBlindIndex, unsealSecret } from '../secrets/sealing.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Seal context: the digits can be opened only for this PIN of this organization. */
export const buildPinSealContext = (organizationId: string, pinId: string): string =>
  `${organizationId}/member_pin/${pinId}`;

export const computePinBlindIndex = (keys: DerivedKeys, organizationId: string, digits: string): string =>
  computeBlindIndex(keys, `pin/${organizationId}`, digits);

const ROWS_PER_INSERT = 200;

const inBatches = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_INSERT) }, (_, index) =>
    rows.slice(index * ROWS_PER_INSERT, (index + 1) * ROWS_PER_INSERT),
  );

interface ReservedPin {
  readonly id: string;
  readonly digits: string;
}

/** Reserves the digits of many PINs in an organization that has no reservations. */
export const insertPinReservations = async (
  db: Kysely<Database>,
  keys: DerivedKeys,
  organizationId: string,
  pins: readonly ReservedPin[],
): Promise<void> => {
  const row = (pin_id: string, digits: string) => ({
    organization_id: organizationId,
    blind: computePinBlindIndex(keys, organizationId, digits),
    pin_id,
  });
  for (const batch of inBatches(pins)) {
    const prefixes = batch.flatMap(({ id, digits }) => listShorterPins(digits).map(prefix => row(id, prefix)));
    await db
      .insertInto('pin_claims')
      .values(batch.map(({ id, digits }) => row(id, digits)))
      .execute();
    for (const prefixBatch of inBatches(prefixes)) await db.insertInto('pin_prefixes').values(prefixBatch).execute();
  }
};

/** Controllers are told whether a PIN is extended by another one, so the members with a prefix of this PIN change too. */
const markOwnersOfPrefixesChanged = async (context: WriteContext, pinId: string): Promise<void> => {
  const owners = await context.db
    .selectFrom('pin_prefixes as x')
    .innerJoin('pin_claims as c', join =>
      join.onRef('c.organization_id', '=', 'x.organization_id').onRef('c.blind', '=', 'x.blind'),
    )
    .innerJoin('member_pins as p', 'p.id', 'c.pin_id')
    .select('p.member_id')
    .distinct()
    .where('x.pin_id', '=', pinId)
    .execute();
  for (const { member_id } of owners) context.markChanged('member', member_id);
};

/** Reserves the digits in `pin_claims`. Returns false when another PIN of the organization has them. */
export const reservePin = async (context: WriteContext, pinId: string, digits: string): Promise<boolean> => {
  const { db, keys, organizationId } = context;
  const reservation = {
    organization_id: organizationId,
    blind: computePinBlindIndex(keys, organizationId, digits),
    pin_id: pinId,
  };
  const inserted = await db
    .insertInto('pin_claims')
    .values(reservation)
    .onConflict(oc => oc.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return false;
  const prefixes = listShorterPins(digits).map(prefix => ({
    ...reservation,
    blind: computePinBlindIndex(keys, organizationId, prefix),
  }));
  if (prefixes.length === 0) return true;
  await db.insertInto('pin_prefixes').values(prefixes).execute();
  await markOwnersOfPrefixesChanged(context, pinId);
  return true;
};

export const releasePin = async (context: WriteContext, pinId: string): Promise<void> => {
  await markOwnersOfPrefixesChanged(context, pinId);
  const { db } = context;
  await db.deleteFrom('pin_claims').where('pin_id', '=', pinId).execute();
  await db.deleteFrom('pin_prefixes').where('pin_id', '=', pinId).execute();
};

/** Which of the given codes are reserved PINs, and which others are prefixes of reserved PINs. */
export interface PinLookupResult {
  readonly pins: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
}

export const lookUpReservedPins = async (
  { db, keys, organizationId }: WriteContext,
  codes: readonly string[],
): Promise<PinLookupResult> => {
  const codeByBlindIndex = new Map(codes.map(code => [computePinBlindIndex(keys, organizationId, code), code]));
  const findCodes = async (
    table: 'pin_claims' | 'pin_prefixes',
    blindIndexes: readonly string[],
  ): Promise<Set<string>> => {
    if (blindIndexes.length === 0) return new Set();
    const rows = await db
      .selectFrom(table)
      .select('blind')
      .distinct()
      .where('organization_id', '=', organizationId)
      .where('blind', 'in', blindIndexes)
      .execute();
    return new Set(rows.map(row => codeByBlindIndex.get(row.blind)!));
  };
  const pins = await findCodes('pin_claims', [...codeByBlindIndex.keys()]);
  const others = [...codeByBlindIndex].filter(([, code]) => !pins.has(code)).map(([index]) => index);
  return { pins, prefixes: await findCodes('pin_prefixes', others) };
};

const findActivePins = ({ db, organizationId }: WriteContext, memberId: string) =>
  db
    .selectFrom('member_pins')
    .select(['id', 'sealed'])
    .where('member_id', '=', memberId)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .execute();

/** Releases the digits of a deleted member for others. */
export const releasePinsOfMember = async (context: WriteContext, memberId: string): Promise<void> => {
  for (const { id } of await findActivePins(context, memberId)) await releasePin(context, id);
};

/** Reserves the digits of an undeleted member again. Throws when another member has them now. */
export const reservePinsOfMember = async (context: WriteContext, memberId: string): Promise<void> => {
  for (const { id, sealed } of await findActivePins(context, memberId)) {
    const digits = unsealSecret(context.masterKeys, sealed, buildPinSealContext(context.organizationId, id));
    if (!(await reservePin(context, id, digits))) {
      throw createInvalidFieldError(
        'is_deleted',
        `cannot be false: another PIN has the digits of the PIN ${id} now. Delete that PIN or this one first`,
        { id },
      );
    }
  }
};
