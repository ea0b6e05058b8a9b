import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * `npm ci` wants every optional package in the lock file, also those for other systems, which it then does not install.
 * A registry that does not carry some of them makes npm leave them out, and the next `npm ci` refuses. This puts them
 * back: `npm run lock` after a change of dependencies.
 */

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Record<string, Locked>;

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** What the package's name says of where it runs. */
const platformOf = (name: string): Record<string, readonly string[]> => {
  const words = (name.split('/').at(-1) ?? '').split('-');
  const os = systems.filter(system => words.includes(system));
  const cpu = processors.filter(processor => words.includes(processor));
  const libc = words.some(word => word.startsWith('musl')) ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return Object.fromEntries(Object.entries({ cpu, libc, os }).filter(([, values]) => values.length > 0));
};

export const missingOptional = (packages: Packages): Packages =>
  Object.fromEntries(
    Object.values(packages).flatMap(({ dev, optionalDependencies = {} }) =>
      Object.entries(optionalDependencies)
        .filter(([name]) => !Object.keys(packages).some(path => path.endsWith(`node_modules/${name}`)))
        .map(([name, version]) => [
          `node_modules/${name}`,
          {
            version: version.replace(/^[\^~]/, ''),
            ...platformOf(name),
            ...(dev === true ? { dev } : {}),
            optional: true,
          },
        ]),
    ),
  );

if (import.meta.main) {
  const file = join(import.meta.dirname, '../../package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Packages };
  const missing = missingOptional(lock.packages);
  const { '': root, ...others } = { ...lock.packages, ...missing };
  const sorted = Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1));
  lock.packages = { '': root!, ...Object.fromEntries(sorted) };
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${Object.keys(missing).length} optional packages added to package-lock.json\n`);
}
