import { PIN_MIN_LENGTH } from '@lintel/access-core/pin-digits';
import { invalid } from '../http/api-error.ts';
import type { DerivedKeys } from '../secrets/master-key.ts';
import { blind, unseal } from '../secrets/sealing.ts';
import type { WriteContext } from '../transactions/writer.ts';

/** What a PIN's digits are sealed under: they open only as this PIN of this organization. */
export const pinContext = (organizationId: string, pinId: string): string => `${organizationId}/member_pin/${pinId}`;

export const blindPin = (keys: DerivedKeys, organizationId: string, digits: string): string =>
  blind(keys, `pin/${organizationId}`, digits);

/** The proper prefixes that are PINs' lengths themselves: 4 digits and more. */
export const prefixesOf = (digits: string): string[] =>
  Array.from({ length: Math.max(0, digits.length - PIN_MIN_LENGTH) }, (_, index) =>
    digits.slice(0, PIN_MIN_LENGTH + index),
  );

/** Takes the digits for this PIN; false when a living PIN of the organization has them. */
export const claimPin = async (context: WriteContext, pinId: string, digits: string): Promise<boolean> => {
  const { db, keys, organizationId } = context;
  const claim = { organization_id: organizationId, blind: blindPin(keys, organizationId, digits), pin_id: pinId };
  const taken = await db
    .insertInto('pin_claims')
    .values(claim)
    .onConflict(oc => oc.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) return false;
  const prefixes = prefixesOf(digits).map(prefix => ({ ...claim, blind: blindPin(keys, organizationId, prefix) }));
  if (prefixes.length > 0) await db.insertInto('pin_prefixes').values(prefixes).execute();
  return true;
};

export const releasePin = async ({ db }: WriteContext, pinId: string): Promise<void> => {
  await db.deleteFrom('pin_claims').where('pin_id', '=', pinId).execute();
  await db.deleteFrom('pin_prefixes').where('pin_id', '=', pinId).execute();
};

/** Of the codes that were asked about: which are living PINs, and which others are the beginning of one. */
export interface TakenCodes {
  readonly claimed: ReadonlySet<string>;
  readonly extended: ReadonlySet<string>;
}

export const lookForPins = async (
  { db, keys, organizationId }: WriteContext,
  codes: readonly string[],
): Promise<TakenCodes> => {
  const codeOf = new Map(codes.map(code => [blindPin(keys, organizationId, code), code]));
  const codesIn = async (table: 'pin_claims' | 'pin_prefixes', blinds: readonly string[]): Promise<Set<string>> => {
    if (blinds.length === 0) return new Set();
    const rows = await db
      .selectFrom(table)
      .select('blind')
      .distinct()
      .where('organization_id', '=', organizationId)
      .where('blind', 'in', blinds)
      .execute();
    return new Set(rows.map(row => codeOf.get(row.blind)!));
  };
  const claimed = await codesIn('pin_claims', [...codeOf.keys()]);
  const others = [...codeOf].filter(([, code]) => !claimed.has(code)).map(([blinded]) => blinded);
  return { claimed, extended: await codesIn('pin_prefixes', others) };
};

const livingPins = ({ db, organizationId }: WriteContext, memberId: string) =>
  db
    .selectFrom('member_pins')
    .select(['id', 'sealed'])
    .where('member_id', '=', memberId)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .execute();

/** A deleted member's digits are free for others. */
export const releasePinsOfMember = async (context: WriteContext, memberId: string): Promise<void> => {
  for (const { id } of await livingPins(context, memberId)) await releasePin(context, id);
};

/** An undeleted member takes its digits back, if nobody has taken them meanwhile. */
export const claimPinsOfMember = async (context: WriteContext, memberId: string): Promise<void> => {
  for (const { id, sealed } of await livingPins(context, memberId)) {
    const digits = unseal(context.masterKeys, sealed, pinContext(context.organizationId, id));
    if (!(await claimPin(context, id, digits))) {
      throw invalid('is_deleted', `The digits of PIN ${id} are in use by another member meanwhile`, { id });
    }
  }
};
