import type * as z from 'zod';
import { crossChecks } from './cross-checks/all-checks.ts';
import { type ProfileFields, profileFields } from './profile-fields.ts';

export type Profile = ProfileFields;

export interface ProfileProblem {
  /** Dotted; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export type ProfileCheck =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

export const MOST_PROBLEMS = 100;

const problemsOf = (issue: z.core.$ZodIssue): ProfileProblem[] => {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'is not a known field' }));
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path: path.join('.'), message }));
  return [{ path: path.join('.'), message: issue.message }];
};

/** First each piece by itself, then what the pieces demand of one another: every problem by its path. */
export const checkProfile = (value: unknown): ProfileCheck => {
  const parsed = profileFields.safeParse(value);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.flatMap(problemsOf).slice(0, MOST_PROBLEMS) };
  const problems: ProfileProblem[] = [];
  for (const check of crossChecks) check(parsed.data, (at, message) => problems.push({ path: at.join('.'), message }));
  return problems.length === 0
    ? { ok: true, profile: parsed.data }
    : { ok: false, problems: problems.slice(0, MOST_PROBLEMS) };
};
