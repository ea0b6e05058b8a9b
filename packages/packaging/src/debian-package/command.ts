import { commandOf, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { type BuiltPackage, buildPackage } from './build-package.ts';
import type { DebianArch } from './control-files.ts';
import { openOutFolder } from './out-folder.ts';
import { refreshLock } from './payload.ts';
import { type ProgramName, programs } from './programs.ts';

const usage = `lintel image package --arch arm64|amd64 [--program controller|gateway|all] [--out DIR] [--json]

Makes the Debian packages: bundled programs, their own Node.js, addons, profiles, the technician's page, systemd units.
What is not in this clone comes from npm's registry, checked against packages/packaging/files/payload-lock.json. The same
sources make the same bytes on every machine; dpkg is not needed.

  --arch ARCH        arm64 for a Raspberry Pi, amd64 for a PC
  --program NAME     controller, gateway or all (all)
  --out DIR          where the packages are put (here)
  --version V        instead of the project's, for trying an update
  --release-keys DIR public keys (*.pub) whose releases the program takes, see docs/updates.md
  --json             one JSON document on stdout
  --refresh-lock     after a change of versions: fetches what belongs into the packages and writes the lock anew

SOURCE_DATE_EPOCH, in seconds, sets the time of the files.

  npx lintel image package --arch arm64
`;

const options = {
  arch: { type: 'string' },
  program: { type: 'string' },
  out: { type: 'string' },
  version: { type: 'string' },
  'release-keys': { type: 'string' },
  json: { type: 'boolean' },
  'refresh-lock': { type: 'boolean' },
} as const;

const archOf = (text: string | undefined): DebianArch => {
  if (text === 'arm64' || text === 'amd64') return text;
  throw new UsageError(text === undefined ? '--arch is needed: arm64 or amd64' : `--arch must be arm64 or amd64`);
};

const programsOf = (text = 'all'): ProgramName[] => {
  const all = Object.keys(programs) as ProgramName[];
  if (text === 'all') return all;
  const named = all.filter(name => name === text);
  if (named.length === 0) throw new UsageError('--program must be controller, gateway or all');
  return named;
};

/** What npm and Debian both take. */
const versionOf = (text: string | undefined) => {
  if (text === undefined) return {};
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?$/.test(text))
    throw new UsageError('--version must be like 1.2.3 or 1.2.3-rc.1');
  return { version: text };
};

const epochOf = (text: string | undefined) => {
  if (text === undefined || text === '') return {};
  if (!/^\d{1,10}$/.test(text)) throw new UsageError('SOURCE_DATE_EPOCH must be seconds');
  return { epoch: Number(text) };
};

const inWords = ({ file, size, installed_size, sha256 }: BuiltPackage): string => {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return `${file}\n  ${megabytes(size)}, ${megabytes(installed_size)} installed\n  sha256 ${sha256}\n`;
};

export const command = commandOf(usage, async (args, { stdout }) => {
  const { values } = parseCall({ args, options });
  if (values['refresh-lock'] === true) {
    const packages = await refreshLock();
    stdout.write(packages.map(({ name, version, integrity }) => `${name} ${version} ${integrity}\n`).join(''));
    return 0;
  }
  const wanted = {
    arch: archOf(values.arch),
    outDir: values.out ?? '.',
    ...versionOf(values.version),
    ...(values['release-keys'] === undefined ? {} : { releaseKeys: values['release-keys'] }),
    ...epochOf(process.env['SOURCE_DATE_EPOCH']),
  };
  const chosen = programsOf(values.program);
  openOutFolder(wanted.outDir);
  const packages: BuiltPackage[] = [];
  for (const program of chosen) packages.push(await buildPackage({ program, ...wanted }));
  stdout.write(values.json === true ? `${JSON.stringify({ packages })}\n` : packages.map(inWords).join(''));
  return 0;
});
