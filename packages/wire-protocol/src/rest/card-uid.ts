import type { BrandedType } from '@lintel/access-core/branded-type';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';

/** Lower-case hex, leading zeros kept. */
export type CardUid = BrandedType<string, 'CardUid'>;

const UID_FORM = /^(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{14}|[0-9a-fA-F]{20})$/;

/** In bytes: single, double or triple size. */
export const isCardUidLength = (bytes: number): boolean => bytes === 4 || bytes === 7 || bytes === 10;

/** Null unless the text has the form of a uid. */
export const toCardUid = (text: string): CardUid | null =>
  UID_FORM.test(text) ? (text.toLowerCase() as CardUid) : null;

export const INVALID_UID = 'must be 4, 7 or 10 bytes in hexadecimal';

const parseCardUid = (value: unknown, path: string): Result<CardUid> => {
  const uid = typeof value === 'string' ? toCardUid(value) : null;
  return uid === null ? failed([createProblem(path, 'invalid_uid', INVALID_UID)]) : ok(uid);
};

/** ISO 14443-3: a 4-byte uid that begins with 08 is random and changes with every tap, mostly on phones. */
export const isRandomCardUid = (uid: CardUid): boolean => uid.length === 8 && uid.startsWith('08');

/** Any uid that a reader may report. */
export const cardUidSchema = schemaFromParser(z.string().regex(UID_FORM), parseCardUid);

const LASTING_UID_FORM = /^(?:(?:0[0-79a-fA-F]|[1-9a-fA-F][0-9a-fA-F])[0-9a-fA-F]{6}|[0-9a-fA-F]{14}|[0-9a-fA-F]{20})$/;

const parseLastingUid = (value: unknown, path: string): Result<CardUid> => {
  const parsed = parseCardUid(value, path);
  if (!parsed.ok || !isRandomCardUid(parsed.value)) return parsed;
  const message = 'is random (4 bytes that begin with 08): this card or phone shows another uid at each tap';
  return failed([createProblem(path, 'random_uid', message)]);
};

/** A uid that identifies a card permanently. */
export const stableCardUidSchema = schemaFromParser(
  z
    .string()
    .regex(LASTING_UID_FORM)
    .describe(
      'ISO 14443 UID: 4, 7 or 10 bytes in hexadecimal, unique in the organization. 4 bytes that begin with 08 are random and refused',
    ),
  parseLastingUid,
);
