import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import * as z from 'zod';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';

const shape = z.array(z.object({ code: z.string(), gadget_id: z.string(), action_id: z.string() }));

/** Ignores fields of a newer sender; a request rejects them instead. */
const knownFields = (rule: unknown): unknown => {
  if (typeof rule !== 'object' || rule === null) return rule;
  const { code, gadget_id, action_id } = rule as Readonly<Record<string, unknown>>;
  return { code, gadget_id, action_id };
};

/** Validated as a set, because codes must not conflict. */
export const inputRulesSchema: z.ZodType<readonly InputRule[], readonly InputRule[]> = schemaFromParser(
  shape,
  (value, path) => parseInputRules(Array.isArray(value) ? Array.from(value, knownFields) : value, null, path),
);
