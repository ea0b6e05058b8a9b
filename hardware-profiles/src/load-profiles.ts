import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkProfile, type Profile, type ProfileProblem } from './profile-schema.ts';

/** The products that come with Lintel. */
const shippedProfiles = fileURLToPath(new URL('../profiles/', import.meta.url));

const refusal = (file: string, problems: readonly ProfileProblem[]): Error =>
  new Error(problems.map(({ path, message }) => `${file}: ${path === '' ? '' : `${path} `}${message}`).join('\n'));

export const readProfileFile = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
};

/** Throws an error that names the file and the path of every problem. */
export const loadProfile = (file: string): Profile => {
  const checked = checkProfile(readProfileFile(file));
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
