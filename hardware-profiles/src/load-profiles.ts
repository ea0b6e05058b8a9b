import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameMisuses } from './name-misuses.ts';
import { readProfileText } from './profile-text.ts';
import { checkProfile, MOST_PROBLEMS, type Profile, type ProfileCheck, type ProfileProblem } from './profile-schema.ts';

/** The products that come with Lintel. */
const shippedProfiles = fileURLToPath(new URL('../profiles/', import.meta.url));

const refusal = (file: string, problems: readonly ProfileProblem[]): Error =>
  new Error(problems.map(({ path, message }) => `${file}: ${path === '' ? '' : `${path} `}${message}`).join('\n'));

const readAndCheck = (file: string): ProfileCheck => {
  const text = readProfileText(file);
  const value: unknown = JSON.parse(text);
  const misuses = nameMisuses(text);
  return misuses.length > 0 ? { ok: false, problems: misuses.slice(0, MOST_PROBLEMS) } : checkProfile(value);
};

/** What cannot be read at all is a problem without a path. */
export const checkProfileFile = (file: string): ProfileCheck => {
  try {
    return readAndCheck(file);
  } catch (error) {
    return { ok: false, problems: [{ path: '', message: (error as Error).message }] };
  }
};

/** Throws an error that names the file and the path of every problem. */
export const loadProfile = (file: string): Profile => {
  const checked = checkProfileFile(file);
  if (!checked.ok) throw refusal(file, checked.problems);
  return checked.profile;
};

/** All profiles of a folder, by product id. */
export const loadProfiles = (folder = shippedProfiles): Profile[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => {
      const profile = loadProfile(join(folder, name));
      if (profile.product_id === basename(name, '.json')) return profile;
      throw refusal(join(folder, name), [{ path: 'product_id', message: 'must be the name of the file' }]);
    });
