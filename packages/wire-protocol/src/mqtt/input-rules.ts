import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import * as z from 'zod';
import { fromParser } from '../schema-parts/from-parser.ts';

const shape = z.array(z.object({ code: z.string(), gadget_id: z.string(), action_id: z.string() }));

/** A newer sender's fields are no reason to refuse a rule here, as they are in a request. */
const knownFields = (rule: unknown): unknown => {
  if (typeof rule !== 'object' || rule === null) return rule;
  const { code, gadget_id, action_id } = rule as Readonly<Record<string, unknown>>;
  return { code, gadget_id, action_id };
};

/** Judged as a set: codes must not stand in one another's way. */
export const inputRules: z.ZodType<readonly InputRule[], readonly InputRule[]> = fromParser(shape, (value, path) =>
  parseInputRules(Array.isArray(value) ? Array.from(value, knownFields) : value, null, path),
);
