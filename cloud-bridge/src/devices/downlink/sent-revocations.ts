import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import type { Kysely } from 'kysely';
import type { SentRevocationRow } from '../../storage/revocation-event-loss-and-incident-schema.ts';
import type { Database } from '../../storage/schema.ts';

export interface NumberedRevocation {
  readonly counter: number;
  readonly message: RevocationMqttMessage;
}

/** More than a controller keeps. */
const MOST_KEPT = 10_000;
const PER_QUERY = 500;
/** So that they fit into one message. */
const MOST_RESENT = 1_000;
const MOST_CHARACTERS = 600_000;

const bodyOf = (message: RevocationMqttMessage): string =>
  Buffer.from(encodeMqttMessage('revoke', message)).toString('utf8');

/** Runs in the transaction that assigns the counters. */
export const recordSentRevocations = async (
  db: Kysely<Database>,
  organizationId: string,
  sent: readonly NumberedRevocation[],
): Promise<void> => {
  const rows = sent.map(({ counter, message }) => ({
    organization_id: organizationId,
    counter,
    body: bodyOf(message),
  }));
  await db.insertInto('sent_revocations').values(rows).execute();
  await db
    .deleteFrom('sent_revocations')
    .where('organization_id', '=', organizationId)
    .where('counter', '<=', Math.max(...sent.map(({ counter }) => counter)) - MOST_KEPT)
    .execute();
};

/** The newest of those with a higher counter, in order. */
export const listSentRevocations = async (
  db: Kysely<Database>,
  organizationId: string,
  afterCounter: number,
): Promise<Pick<SentRevocationRow, 'counter' | 'body'>[]> => {
  const rows = await db
    .selectFrom('sent_revocations')
    .select(['counter', 'body'])
    .where('organization_id', '=', organizationId)
    .where('counter', '>', afterCounter)
    .where('body', '<>', '')
    .orderBy('counter', 'desc')
    .limit(MOST_RESENT)
    .execute();
  let characters = 0;
  return rows.filter(({ body }) => (characters += body.length) <= MOST_CHARACTERS).toReversed();
};

/**
 * The counter was raised from here, because revocations after it are lost. Runs before the raise, so that the first new
 * revocation is not taken for the oldest one.
 */
export const insertLostRevocationMarker = async (
  db: Kysely<Database>,
  organizationId: string,
  counter: number,
): Promise<void> => {
  await db
    .insertInto('sent_revocations')
    .values({ organization_id: organizationId, counter, body: '' })
    .onConflict(conflict => conflict.doNothing())
    .execute();
};

/** 0 if none is recorded. */
const findOldestCounter = async (db: Kysely<Database>, organizationId: string): Promise<number> => {
  const row = await db
    .selectFrom('sent_revocations')
    .select(({ fn }) => fn.min<number | null>('counter').as('oldest'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.oldest ?? 0;
};

/**
 * The revocations that this database does not contain: it was restored to a time before them. Those before the oldest
 * recorded one are ignored. They are not lost but deleted, and a hostile controller could send them again. The oldest
 * counter itself may stand for another revocation, if it was the first after the restore; an empty body means that the
 * revocation is unknown.
 */
export const listLostRevocations = async (
  db: Kysely<Database>,
  organizationId: string,
  received: readonly NumberedRevocation[],
): Promise<NumberedRevocation[]> => {
  const oldest = await findOldestCounter(db, organizationId);
  const candidates = received.filter(({ counter }) => counter >= oldest);
  const known = new Set<string>();
  for (let from = 0; from < candidates.length; from += PER_QUERY) {
    const counters = candidates.slice(from, from + PER_QUERY).map(({ counter }) => counter);
    const rows = await db
      .selectFrom('sent_revocations')
      .select(['counter', 'body'])
      .where('organization_id', '=', organizationId)
      .where('counter', 'in', counters)
      .execute();
    for (const { counter, body } of rows) known.add(`${counter} ${body}`);
  }
  return candidates.filter(
    ({ counter, message }) =>
      !known.has(`${counter} ${bodyOf(message)}`) && !(counter === oldest && known.has(`${counter} `)),
  );
};
