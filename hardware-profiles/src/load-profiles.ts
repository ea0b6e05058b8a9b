import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findJsonKeyProblems } from './json-key-problems.ts';
import { readProfileText } from './read-profile-text.ts';
import {
  checkProfile,
  MAX_PROFILE_PROBLEMS,
  type Profile,
  type ProfileCheckResult,
  type ProfileProblem,
} from './check-profile.ts';

const shippedProfiles = fileURLToPath(new URL('../profiles/', import.meta.url));

const listProductIds = (folder = shippedProfiles): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => basename(name, '.json'))
    .sort();

/** The file of a profile that is given as a file or as the id of a shipped product. */
export const resolveProfileFile = (fileOrId: string): string =>
  !existsSync(fileOrId) && listProductIds().includes(fileOrId) ? join(shippedProfiles, `${fileOrId}.json`) : fileOrId;

/** `gadgets.0.output` → `gadgets[0].output` */
const formatPath = (path: string): string => path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');

/** For people: `mine.json: gadgets[0].output is missing`. */
export const describeProfileProblem = (file: string, { path, message }: ProfileProblem): string => {
  if (path === '') return `${file}: ${message}`;
  const isPredicate = /^(?:is|must|does|differs)\b/.test(message);
  return `${file}: ${formatPath(path)}${isPredicate ? '' : ':'} ${message}`;
};

const profileError = (file: string, problems: readonly ProfileProblem[]): Error =>
  new Error(problems.map(problem => describeProfileProblem(file, problem)).join('\n'));

const readAndCheck = (fileOrId: string): ProfileCheckResult => {
  const text = readProfileText(resolveProfileFile(fileOrId));
  const value: unknown = JSON.parse(text);
  const keyProblems = findJsonKeyProblems(text);
  return keyProblems.length > 0
    ? { ok: false, problems: keyProblems.slice(0, MAX_PROFILE_PROBLEMS) }
    : checkProfile(value);
};

const describeReadError = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  // Without the excerpt of the file that JSON.parse adds.
  if (error instanceof SyntaxError) return `is not valid JSON: ${message.replace(/, (?:\.{3})?".*$/s, '')}`;
  return code === 'ENOENT'
    ? `no such file. Give a file or one of the products ${listProductIds().join(', ')}`
    : message;
};

/** An unreadable file is reported as a problem without a path. */
export const checkProfileFile = (file: string): ProfileCheckResult => {
  try {
    return readAndCheck(file);
  } catch (error) {
    return { ok: false, problems: [{ path: '', message: describeReadError(error) }] };
  }
};

/** Throws an error with the file and the path of each problem. */
export const loadProfile = (file: string): Profile => {
  const checked = checkProfileFile(file);
  if (!checked.ok) throw profileError(file, checked.problems);
  return checked.profile;
};

const readFolder = (folder: string): Profile[] =>
  listProductIds(folder).map(id => {
    const file = join(folder, `${id}.json`);
    const profile = loadProfile(file);
    if (profile.product_id === id) return profile;
    throw profileError(file, [{ path: 'product_id', message: 'must match the file name' }]);
  });

let shipped: readonly Profile[] | null = null;

/** All profiles of a folder, sorted by product id. The shipped profiles are read once. */
export const loadProfiles = (folder = shippedProfiles): readonly Profile[] => {
  if (folder !== shippedProfiles) return readFolder(folder);
  shipped ??= readFolder(folder);
  return shipped;
};
