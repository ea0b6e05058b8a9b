import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/card_stock`. Columns `printed_code`, `uid` and, optionally, `name`. */
export const importCardStockRequestSchema = z.strictObject({
  csv: z.string().min(1).max(1_000_000),
  /** Checks the file, reports all errors and imports nothing. */
  dry_run: z.boolean().default(false),
});

/** `known`: cards that were already in the stock or belong to the organization. `errors` only in a dry run. */
export const importCardStockResponseSchema = tolerantObjectSchema({
  imported: z.int(),
  known: z.int(),
  errors: z.array(tolerantObjectSchema({ line: z.int(), message: z.string() })),
});
export type ImportCardStockResponse = z.infer<typeof importCardStockResponseSchema>;

/** A card of the organization or of its stock, with the member who has it. */
export const inventoryCardResponseSchema = tolerantObjectSchema({
  id: idSchema('card'),
  name: z.string(),
  uid: z.string().nullable(),
  printed_code: z.string().nullable(),
  /** Delivered, but never assigned. It becomes a card of the organization when a member gets it. */
  is_stock: z.boolean(),
  member_card_id: idSchema('member_card').nullable(),
  member_id: idSchema('member').nullable(),
  member_name: z.string().nullable(),
});
export type InventoryCardResponse = z.infer<typeof inventoryCardResponseSchema>;
