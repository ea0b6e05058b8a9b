import { createCliCommand, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { type BuiltDebianPackage, buildDebianPackage } from './build-package.ts';
import type { DebianArch } from './control-files.ts';
import { ensureOutputFolder } from './output-folder.ts';
import { refreshPayloadLock } from './download-locked-npm-packages.ts';
import { type ProgramName, debianPackagesByProgram } from './debian-package-definitions.ts';

const usage = `lintel image package --arch arm64|amd64 [--program NAME] [--out DIR] [--json]

Builds the Debian packages: bundled programs, their own Node.js, addons, profiles, web pages, systemd units.
Downloads from npm's registry are checked against packages/packaging/files/payload-lock.json. The same sources give the
same bytes on every machine. Does not need dpkg.

  --arch ARCH        arm64 for a Raspberry Pi, amd64 for a PC
  --program NAME     controller, gateway, bridge or all (default)
  --out DIR          output folder (default: the current one)
  --version V        default: the version of the program
  --release-keys DIR public keys (*.pub) whose releases the program accepts, see docs/operator/updates.md
  --json             print one JSON document
  --refresh-lock     downloads new versions for the packages and rewrites the lock

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
  throw new UsageError(text === undefined ? '--arch is required: arm64 or amd64' : `--arch must be arm64 or amd64`);
};

const programsOf = (text = 'all'): ProgramName[] => {
  const all = Object.keys(debianPackagesByProgram) as ProgramName[];
  if (text === 'all') return all;
  const named = all.filter(name => name === text);
  if (named.length === 0) throw new UsageError('--program must be controller, gateway, bridge or all');
  return named;
};

/** Valid for npm and for Debian. */
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

const formatText = ({ file, size, installed_size, sha256 }: BuiltDebianPackage): string => {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return `${file}\n  ${megabytes(size)}, ${megabytes(installed_size)} installed\n  sha256 ${sha256}\n`;
};

export const command = createCliCommand(usage, async (args, { stdout, stderr }) => {
  const { values } = parseCommandArguments({ args, options });
  if (values['refresh-lock'] === true) {
    const packages = await refreshPayloadLock();
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
  ensureOutputFolder(wanted.outDir);
  const packages: BuiltDebianPackage[] = [];
  const buildAll = async (): Promise<void> => {
    using progress = openProgressLine({ stderr, isQuiet: values.json === true });
    for (const program of chosen)
      packages.push(await buildDebianPackage({ program, ...wanted, report: progress.report }));
  };
  await buildAll();
  stdout.write(values.json === true ? `${JSON.stringify({ packages })}\n` : packages.map(formatText).join(''));
  return 0;
});
