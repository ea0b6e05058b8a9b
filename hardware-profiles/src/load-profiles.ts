import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findJsonKeyProblems } from './json-key-problems.ts';
import { readProfileText } from './profile-text.ts';
import {
  checkProfile,
  MAX_PROFILE_PROBLEMS,
  type Profile,
  type ProfileCheckResult,
  type ProfileProblem,
} from './profile-schema.ts';

const shippedProfiles = fileURLToPath(new URL('../profiles/', import.meta.url));

const profileError = (file: string, problems: readonly ProfileProblem[]): Error =>
  new Error(problems.map(({ path, message }) => `${file}: ${path === '' ? '' : `${path} `}${message}`).join('\n'));

const readAndCheck = (file: string): ProfileCheckResult => {
  const text = readProfileText(file);
  const value: unknown = JSON.parse(text);
  const keyProblems = findJsonKeyProblems(text);
  return keyProblems.length > 0
    ? { ok: false, problems: keyProblems.slice(0, MAX_PROFILE_PROBLEMS) }
    : checkProfile(value);
};

/** An unreadable file is reported as a problem without a path. */
export const checkProfileFile = (file: string): ProfileCheckResult => {
  try {
    return readAndCheck(file);
  } catch (error) {
    return { ok: false, problems: [{ path: '', message: (error as Error).message }] };
  }
};

/** Throws an error with the file and the path of each problem. */
export const loadProfile = (file: string): Profile => {
  const checked = checkProfileFile(file);
  if (!checked.ok) throw profileError(file, checked.problems);
  return checked.profile;
};

/** All profiles of a folder, sorted by product id. */
export const loadProfiles = (folder = shippedProfiles): Profile[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => {
      const profile = loadProfile(join(folder, name));
      if (profile.product_id === basename(name, '.json')) return profile;
      throw profileError(join(folder, name), [{ path: 'product_id', message: 'must match the file name' }]);
    });
