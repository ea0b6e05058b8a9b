import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/card_stock`. Columns `printed_code`, `uid` and, optionally, `name`. */
export const cardStockImport = z.strictObject({ csv: z.string().min(1).max(1_000_000) });

/** `known`: cards that were already in the stock or belong to the organization. */
export const cardStockImportResponse = tolerantObjectSchema({ imported: z.int(), known: z.int() });
