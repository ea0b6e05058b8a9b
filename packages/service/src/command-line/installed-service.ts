import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getErrorCode } from '../error-code.ts';

export type InstalledProgram = 'controller' | 'gateway';

/** The program that a package has installed as a service, and how it is started. */
export interface InstalledService {
  readonly program: InstalledProgram;
  /** Its configuration. */
  readonly file: string;
  readonly data: string;
  /** The profile in its options. */
  readonly profile: string | undefined;
}

/** As in the units of the packages. */
const dataFolders: Readonly<Record<InstalledProgram, string>> = {
  controller: '/var/lib/lintel',
  gateway: '/var/lib/lintel-gateway',
};

/** The value of the variable in an environment file of systemd. */
const variableIn = (text: string, name: string): string => {
  const values = Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value]) => value!.trim());
  return values.at(-1)?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
};

/** The last value counts, as for the program. */
const optionIn = (words: readonly string[], name: string): string | undefined => {
  const at = words.lastIndexOf(name);
  const joined = words.findLast(word => word.startsWith(`${name}=`));
  return at === -1 ? joined?.slice(name.length + 1) : words[at + 1];
};

/** Null if no package of the program is installed. */
export const readInstalledService = (
  program: InstalledProgram,
  file = `/etc/lintel/${program}.conf`,
): InstalledService | null => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
  const words = variableIn(text, 'LINTEL_OPTIONS').split(/\s+/);
  const data = optionIn(words, '--data') ?? dataFolders[program];
  return { program, file, data, profile: optionIn(words, '--profile') };
};

/** The folder and the profile that a command works with. */
export interface ServiceChoice {
  readonly data: string | undefined;
  readonly profile: string | undefined;
  /** What to tell the user on stderr. Empty if the command line names everything. */
  readonly notice: string;
}

/** The profile that a technician chose, in the data folder. */
const chosenProfileIn = (data: string): string | undefined => {
  const file = join(data, 'profile.json');
  return existsSync(file) ? file : undefined;
};

/**
 * What the options of a command leave out, from the installed service. Its configuration describes its own data folder only,
 * so it is not used with another one.
 */
export const completeFromService = (
  given: { readonly data?: string | undefined; readonly profile?: string | undefined },
  service: InstalledService | null,
): ServiceChoice => {
  if (service === null || (given.data !== undefined && resolve(given.data) !== resolve(service.data)))
    return { data: given.data, profile: given.profile, notice: '' };
  const profile = given.profile ?? service.profile ?? chosenProfileIn(service.data);
  const parts = [
    ...(given.data === undefined ? [`Data folder ${service.data}`] : []),
    ...(given.profile === undefined && profile !== undefined ? [`profile ${profile}`] : []),
  ];
  const notice = parts.length === 0 ? '' : `${parts.join(', ').replace(/^p/, 'P')} (from ${service.file})\n`;
  return { data: service.data, profile, notice };
};
