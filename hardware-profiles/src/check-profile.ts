import type * as z from 'zod';
import { profileCrossChecks } from './cross-checks/profile-cross-checks.ts';
import { type ProfileFields, profileFieldsSchema } from './profile-fields-schema.ts';
import { type ValidPartsOfProfile, parsePartialProfile } from './valid-parts-of-profile.ts';

export type Profile = ProfileFields;

export interface ProfileProblem {
  /** Dotted path. Empty for the whole profile. */
  readonly path: string;
  readonly message: string;
}

export type ProfileCheckResult =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

export const MAX_PROFILE_PROBLEMS = 100;

/** Says in words what is wrong with a field. */
const describeIssue = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined && issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
};

const problemsOf = (issue: z.core.$ZodIssue): ProfileProblem[] => {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'is not a known field' }));
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path: path.join('.'), message }));
  return [{ path: path.join('.'), message: describeIssue(issue) }];
};

const crossProblems = (profile: Profile, partial: ValidPartsOfProfile | null = null): ProfileProblem[] => {
  const problems: ProfileProblem[] = [];
  for (const check of profileCrossChecks)
    check(profile, (at, message) => {
      if (partial?.mayBeCausedByRemoval(at) === true) return;
      problems.push({ path: (partial?.pathInFile(at) ?? at).join('.'), message });
    });
  return problems;
};

/** Cross-checks the valid parts of an invalid profile. */
const problemsInValidParts = (fieldProblems: readonly ProfileProblem[], value: unknown): readonly ProfileProblem[] => {
  if (fieldProblems.length >= MAX_PROFILE_PROBLEMS) return [];
  const partial = parsePartialProfile(value);
  return partial === null ? [] : crossProblems(partial.profile, partial);
};

/** Validates each field and the relations between fields. Reports all problems. */
export const checkProfile = (value: unknown): ProfileCheckResult => {
  const parsed = profileFieldsSchema.safeParse(value);
  if (!parsed.success) {
    const fieldProblems = parsed.error.issues.flatMap(problemsOf);
    return {
      ok: false,
      problems: [...fieldProblems, ...problemsInValidParts(fieldProblems, value)].slice(0, MAX_PROFILE_PROBLEMS),
    };
  }
  const problems = crossProblems(parsed.data);
  return problems.length === 0
    ? { ok: true, profile: parsed.data }
    : { ok: false, problems: problems.slice(0, MAX_PROFILE_PROBLEMS) };
};
