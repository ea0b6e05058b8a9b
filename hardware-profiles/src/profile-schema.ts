import type * as z from 'zod';
import { crossChecks } from './cross-checks/all-checks.ts';
import { type ProfileFields, profileFields } from './profile-fields.ts';
import { type Salvaged, salvage } from './salvage.ts';

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

const crossProblems = (profile: Profile, salvaged: Salvaged | null = null): ProfileProblem[] => {
  const problems: ProfileProblem[] = [];
  for (const check of crossChecks)
    check(profile, (at, message) => {
      if (salvaged?.isDoubtful(at) === true) return;
      problems.push({ path: (salvaged?.placeInFile(at) ?? at).join('.'), message });
    });
  return problems;
};

/** Of the pieces that are whole, although others are broken. */
const problemsBesides = (broken: readonly ProfileProblem[], value: unknown): readonly ProfileProblem[] => {
  if (broken.length >= MOST_PROBLEMS) return [];
  const salvaged = salvage(value);
  return salvaged === null ? [] : crossProblems(salvaged.profile, salvaged);
};

/** Each piece by itself, and what the pieces demand of one another: every problem by its path. */
export const checkProfile = (value: unknown): ProfileCheck => {
  const parsed = profileFields.safeParse(value);
  if (!parsed.success) {
    const broken = parsed.error.issues.flatMap(problemsOf);
    return { ok: false, problems: [...broken, ...problemsBesides(broken, value)].slice(0, MOST_PROBLEMS) };
  }
  const problems = crossProblems(parsed.data);
  return problems.length === 0
    ? { ok: true, profile: parsed.data }
    : { ok: false, problems: problems.slice(0, MOST_PROBLEMS) };
};
