import { type ApiError, createInvalidFieldError } from '../http/api-error.ts';
import type { ImportCardStockResponse } from '@lintel/wire-protocol/admin/card-stock';
import {
  type CardStockCsvLineError,
  createLineError,
  type ParsedCardStockCsv,
  type StockCardCsvRow,
} from './card-stock-csv.ts';
import type { CardRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Codes that identify a card besides its id. */
export type CardCodeName = 'uid' | 'printed_code';

type StockCardSelector = { readonly [field in 'id' | CardCodeName]?: string | undefined };

/** The same error whether the card does not exist, is reserved or is already assigned. */
export const createUnknownStockCardError = (id: string): ApiError =>
  createInvalidFieldError('id', `refers to the card ${id}, which is not an unassigned card of the stock`, { id });

/** Printed code and UID together show that someone has the card: the code is on it, and only a reader shows the UID. */
const provesPossession = ({ uid, printed_code }: CardRow, selector: StockCardSelector): boolean =>
  uid !== null && printed_code !== null && uid === selector.uid && printed_code === selector.printed_code;

/**
 * Finds a card in the manufacturer's stock by id, else by printed code, else by UID. The organization must have received
 * it, or prove that it has it if no organization has received it.
 */
export const findStockCard = async (
  { db, organizationId }: WriteContext,
  selector: StockCardSelector,
): Promise<CardRow | undefined> => {
  const field = (['id', 'printed_code', 'uid'] as const).find(name => selector[name] !== undefined);
  if (field === undefined) return undefined;
  const matching = await db
    .selectFrom('cards')
    .selectAll()
    .where('organization_id', 'is', null)
    .where('is_deleted', '=', 0)
    .where(field, '=', selector[field]!)
    .execute();
  return (
    matching.find(card => card.reserved_for === organizationId) ??
    matching.find(card => card.reserved_for === null && provesPossession(card, selector))
  );
};

/** All cards that the organization has or may take, by printed code and by UID. */
const loadKnownCards = async ({ db, organizationId }: WriteContext) => {
  const rows = await db
    .selectFrom('cards')
    .select(['uid', 'printed_code'])
    .where('is_deleted', '=', 0)
    .where(eb => eb.or([eb('organization_id', '=', organizationId), eb('reserved_for', '=', organizationId)]))
    .execute();
  return {
    byCode: new Map(rows.map(({ uid, printed_code }) => [printed_code, uid])),
    byUid: new Map(rows.map(({ uid, printed_code }) => [uid, printed_code])),
  };
};

/** Adds a card to the stock of the organization. The caller has checked that it is new. */
export const insertStockCard = async (
  context: WriteContext,
  card: Pick<CardRow, CardCodeName | 'name' | 'metadata'>,
): Promise<string> => {
  const id = context.newId('card');
  await insertRow(context, 'cards', {
    id,
    organization_id: null,
    is_deleted: 0,
    created_at: context.now,
    ...card,
    reserved_for: context.organizationId,
  });
  return id;
};

interface StockCheck {
  readonly fresh: readonly StockCardCsvRow[];
  readonly known: number;
  readonly errors: readonly CardStockCsvLineError[];
}

/** Sorts out cards that are known already, and those whose printed code or UID another card has. */
const checkStockCards = async (context: WriteContext, cards: ParsedCardStockCsv['cards']): Promise<StockCheck> => {
  const { byCode, byUid } = await loadKnownCards(context);
  const fresh: StockCardCsvRow[] = [];
  const errors: CardStockCsvLineError[] = [];
  let known = 0;
  for (const { line, ...card } of cards) {
    const { printed_code, uid } = card;
    const [codeUid, uidCode] = [byCode.get(printed_code), byUid.get(uid)];
    if (codeUid === uid && uidCode === printed_code) known++;
    else if (codeUid !== undefined || uidCode !== undefined) {
      const message = `${printed_code}: another card already has this printed code or the UID ${uid}`;
      errors.push({ line, message });
    } else {
      fresh.push(card);
      byCode.set(printed_code, uid);
      byUid.set(uid, printed_code);
    }
  }
  return { fresh, known, errors };
};

/** What an import would do, with all errors of the file by line. */
export const previewStockCardImport = async (
  context: WriteContext,
  file: ParsedCardStockCsv,
): Promise<ImportCardStockResponse> => {
  const { fresh, known, errors } = await checkStockCards(context, file.cards);
  const all = [...file.errors, ...errors].toSorted((a, b) => a.line - b.line);
  return { imported: fresh.length, known, errors: all };
};

/** Rejects a card whose printed code or UID another card of the organization has. */
export const importStockCards = async (
  context: WriteContext,
  cards: ParsedCardStockCsv['cards'],
): Promise<ImportCardStockResponse> => {
  const { fresh, known, errors } = await checkStockCards(context, cards);
  const [first] = errors;
  if (first !== undefined) throw createLineError(first.line, first.message);
  for (const { printed_code, uid, name } of fresh)
    await insertStockCard(context, { printed_code, uid, name, metadata: '{}' });
  const object = { type: 'organization', organization_id: context.organizationId };
  if (fresh.length > 0) context.log({ verb: 'edit', object, reason: 'card_stock' });
  return { imported: fresh.length, known, errors: [] };
};

/** Assigns the card only if it is still unassigned, because no organization's lock protects the stock. */
export const assignStockCard = async ({ db }: WriteContext, { id, ...columns }: CardRow): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('cards')
    .set(columns)
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw createUnknownStockCardError(id);
};
