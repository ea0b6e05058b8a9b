import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checked fields of an entry of `packages` in package-lock.json. */
export interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockEntries = Readonly<Record<string, LockEntry>>;

export const lockFile = join(import.meta.dirname, '../../../package-lock.json');

export const readLock = (): { packages: LockEntries } => JSON.parse(readFileSync(lockFile, 'utf8'));

/** Writes the packages in npm's order, so that the next `npm install` changes nothing. */
export const writeLock = (lock: { packages: LockEntries }): void => {
  const { '': root, ...others } = lock.packages;
  const sorted = Object.entries(others).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const packages = { '': root, ...Object.fromEntries(sorted) };
  writeFileSync(lockFile, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
};

/** The platforms on which `npm ci` must work. */
const supportedPlatforms = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
] as const;

type Platform = (typeof supportedPlatforms)[number];

/** The same rule as npm: a list names what is allowed, or with `!` what is not. */
const allows = (list: readonly string[] | undefined, value: string): boolean => {
  if (list === undefined || list.includes('any')) return true;
  if (list.includes(`!${value}`)) return false;
  const allowed = list.filter(entry => !entry.startsWith('!'));
  return allowed.length === 0 || allowed.includes(value);
};

const installsOn = (entry: LockEntry, { os, cpu, libc }: Platform): boolean =>
  allows(entry.os, os) && allows(entry.cpu, cpu) && allows(entry.libc, libc);

export const runsOnSupportedPlatform = (entry: LockEntry): boolean =>
  supportedPlatforms.some(platform => installsOn(entry, platform));

const isPlatformPackage = ({ os, cpu }: LockEntry): boolean => os !== undefined || cpu !== undefined;

export const packageNameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

export const isFromRegistry = (path: string, { link }: LockEntry): boolean =>
  path.includes('node_modules/') && link !== true;

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** The platform in a package's name (`@biomejs/cli-linux-arm64-musl`), for packages that the registry does not have. */
const platformInName = (name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> => {
  const words = (name.split('/').at(-1) ?? '').split('-');
  const os = systems.filter(system => words.includes(system));
  const cpu = processors.filter(processor => words.includes(processor));
  const libc = words.some(word => word.startsWith('musl')) ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return Object.fromEntries(Object.entries({ os, cpu, libc }).filter(([, values]) => values.length > 0));
};

/** Optional packages that the lock does not list. `npm ci` refuses a lock without them, even for other platforms. */
export const findMissingOptionalPackages = (packages: LockEntries): readonly [path: string, entry: LockEntry][] => {
  const present = new Set(Object.keys(packages).map(packageNameOf));
  return Object.values(packages).flatMap(({ dev, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !present.has(name))
      .map(([name, range]): [string, LockEntry] => [
        `node_modules/${name}`,
        {
          version: range.replace(/^[\^~]/, ''),
          ...platformInName(name),
          ...(dev === true ? { dev } : {}),
          optional: true,
        },
      ]),
  );
};

const platformText = ({ os, cpu, libc }: Platform): string => `${os}-${cpu} (${libc})`;

/** Reasons why `npm ci` would fail on a supported platform. */
export const findLockProblems = (packages: LockEntries): readonly string[] => {
  const entries = Object.entries(packages);
  const unlisted = findMissingOptionalPackages(packages).map(
    ([path]) => `${packageNameOf(path)}: optional package is not in the lock`,
  );
  const unverified = entries
    .filter(
      ([path, entry]) => isFromRegistry(path, entry) && runsOnSupportedPlatform(entry) && entry.integrity === undefined,
    )
    .map(([path, { version }]) => `${packageNameOf(path)}@${version}: no integrity`);
  const byName = new Map(entries.map(([path, entry]) => [packageNameOf(path), entry]));
  const incomplete = entries.flatMap(([path, { optionalDependencies = {} }]) => {
    const variants = Object.keys(optionalDependencies)
      .map(name => byName.get(name))
      .filter(entry => entry !== undefined && isPlatformPackage(entry));
    if (!variants.some(entry => allows(entry?.os, 'linux'))) return [];
    return supportedPlatforms
      .filter(platform => !variants.some(entry => entry !== undefined && installsOn(entry, platform)))
      .map(platform => `${packageNameOf(path)}: no package for ${platformText(platform)}`);
  });
  return [...unlisted, ...unverified, ...incomplete];
};
