import type { Brand } from '@lintel/access-core/brand';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { fromParser } from '../schema-parts/from-parser.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { atLeastOneOf } from './field-choice.ts';
import { metadata, metadataCreate, metadataPatch } from './metadata.ts';

/** Lower-case hex, leading zeros kept. */
export type CardUid = Brand<string, 'CardUid'>;

const UID_FORM = /^(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{14}|[0-9a-fA-F]{20})$/;

/** In bytes: cards have single, double and triple ones. */
export const isUidLength = (bytes: number): boolean => bytes === 4 || bytes === 7 || bytes === 10;

/** Null unless a card has uids of that form. */
export const asCardUid = (text: string): CardUid | null =>
  UID_FORM.test(text) ? (text.toLowerCase() as CardUid) : null;

const parseCardUid = (value: unknown, path: string): Result<CardUid> => {
  const uid = typeof value === 'string' ? asCardUid(value) : null;
  return uid === null ? failed([problem(path, 'invalid_uid', 'must be 4, 7 or 10 bytes in hexadecimal')]) : ok(uid);
};

/** ISO 14443-3: four bytes that begin with 08 are made up anew for every visit, mostly by phones. */
export const isRandomUid = (uid: CardUid): boolean => uid.length === 8 && uid.startsWith('08');

/** Whatever a reader may tell. */
export const cardUid = fromParser(z.string().regex(UID_FORM), parseCardUid);

const LASTING_UID_FORM = /^(?:(?:0[0-79a-fA-F]|[1-9a-fA-F][0-9a-fA-F])[0-9a-fA-F]{6}|[0-9a-fA-F]{14}|[0-9a-fA-F]{20})$/;

const parseLastingUid = (value: unknown, path: string): Result<CardUid> => {
  const parsed = parseCardUid(value, path);
  if (!parsed.ok || !isRandomUid(parsed.value)) return parsed;
  const message = 'is a random one (4 bytes that begin with 08): this card or phone shows another at each tap';
  return failed([problem(path, 'random_uid', message)]);
};

/** A uid by which a card is known the next time too. */
export const lastingUid = fromParser(
  z.string().regex(LASTING_UID_FORM).describe('4 bytes that begin with 08 are random and refused'),
  parseLastingUid,
);

export const printedCode = plainText(64, 1);

export const cardAnswer = tolerantObject({
  id: idOf('card'),
  organization_id: idOf('organization'),
  name: z.string(),
  uid: z.string().nullable(),
  printed_code: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type CardAnswer = z.infer<typeof cardAnswer>;

export const cardCreate = z
  .strictObject({
    id: idOf('card').optional(),
    printed_code: printedCode.optional(),
    uid: lastingUid.optional(),
    name: nameText().default(''),
    metadata: metadataCreate,
  })
  .check(atLeastOneOf('id', 'printed_code', 'uid'));
export type CardCreate = z.infer<typeof cardCreate>;

export const cardEdit = z.strictObject({ name: nameText().optional(), metadata: metadataPatch.optional() });
export type CardEdit = z.infer<typeof cardEdit>;
