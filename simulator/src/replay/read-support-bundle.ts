import { readFileSync } from 'node:fs';
import { describeJsonFileError } from '@lintel/service/command-line/describe-system-error';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import {
  type TechnicianEventResponse,
  technicianEventResponseSchema,
} from '@lintel/wire-protocol/technician/live-message';
import { type SupportBundle, supportBundleSchema } from '@lintel/wire-protocol/technician/status-and-support-bundle';

export interface ParsedSupportBundle {
  readonly bundle: SupportBundle;
  /** Oldest first. */
  readonly events: readonly TechnicianEventResponse[];
  /** Number of events that this version cannot read. */
  readonly unreadable: number;
}

export const parseSupportBundle = (content: unknown): Result<ParsedSupportBundle> => {
  const bundle = parseWithSchema(supportBundleSchema, content);
  if (!bundle.ok) return bundle;
  const parsed = bundle.value.events.map(event => technicianEventResponseSchema.safeParse(event));
  const events = parsed.flatMap(({ data }) => data ?? []).sort((a, b) => a.sequence - b.sequence);
  return ok({ bundle: bundle.value, events, unreadable: parsed.length - events.length });
};

export const readSupportBundleFile = (file: string): Result<ParsedSupportBundle> => {
  try {
    return parseSupportBundle(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    return failed([createProblem('', 'unreadable', describeJsonFileError(error, file))]);
  }
};
