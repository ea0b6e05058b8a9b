import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/card_stock`. Columns `printed_code`, `uid` and, optionally, `name`. */
export const importCardStockRequestSchema = z.strictObject({
  csv: z
    .string()
    .min(1)
    .max(1_000_000)
    .describe('CSV text with the columns printed_code, uid and optionally name, at most 1000000 characters'),
  dry_run: z.boolean().default(false).describe('true checks the file, reports all errors and imports nothing'),
});

/** `known`: cards that were already in the stock or belong to the organization. `errors` only in a dry run. */
export const importCardStockResponseSchema = tolerantObjectSchema({
  imported: z.int().describe('Number of imported cards'),
  known: z.int().describe('Number of cards that were already in the stock or belong to the organization'),
  errors: z
    .array(
      tolerantObjectSchema({
        line: z.int().describe('Line of the file, from 1'),
        message: z.string().describe('What is wrong'),
      }).describe('A line with an error'),
    )
    .describe('Errors of the file. Empty unless dry_run is true'),
}).describe('Result of an import of cards');
export type ImportCardStockResponse = z.infer<typeof importCardStockResponseSchema>;

/** A card of the organization or of its stock, with the member who has it. */
export const inventoryCardResponseSchema = tolerantObjectSchema({
  id: idSchema('card'),
  name: z.string().describe('Name of the card'),
  uid: z.string().nullable().describe('ISO 14443 UID in hexadecimal. Null if not known'),
  printed_code: z.string().nullable().describe('Code printed on the card. Null if not known'),
  is_stock: z
    .boolean()
    .describe('true if the card was never assigned. It becomes a card of the organization when a member gets it'),
  member_card_id: idSchema('member_card').nullable().describe('Id of the member card. Null if no member has the card'),
  member_id: idSchema('member').nullable().describe('Id of the member who has the card. Null if none has it'),
  member_name: z.string().nullable().describe('Name of the member who has the card. Null if none has it'),
}).describe('A card of the organization or of its stock, with the member who has it');
export type InventoryCardResponse = z.infer<typeof inventoryCardResponseSchema>;
