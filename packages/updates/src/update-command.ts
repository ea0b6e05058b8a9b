import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CliCommand,
  createCliCommand,
  type CommandHandler,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, rejectExtraArguments } from '@lintel/service/command-line/command-arguments';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { asFolderOwner } from '@lintel/service/data-folder/folder-owner';
import { requireReleasePublicKeys } from './release-files/release-keys.ts';
import { describeReleaseError } from './release-files/release-error.ts';
import { type UnpackReleaseDependencies, verifyAndUnpackRelease } from './verify-and-unpack-release.ts';
import { toDebianArchitecture } from './debian-architecture.ts';
import { requireReadableFolder, requireWritableFolder } from './require-release-folder-access.ts';
import { readProgramDescription, ReleasesFolder } from './releases-folder.ts';
import { computeOldestAcceptedVersion, type ReleaseTrialResult } from './update-slot-state.ts';
import { requireNewestReleaseFile } from './find-newest-release-file.ts';
import { isUpdatableProgramName, type ProgramPaths, programPaths, type UpdatableProgramName } from './program-paths.ts';

const usageFor = (
  product: UpdatableProgramName,
): string => `lintel update FILE|FOLDER [--program controller|gateway] [--releases DIR] [--package DIR] [--keys DIR]
                            [--wait SECONDS] [--json]
lintel update --status [--program controller|gateway] [--releases DIR] [--json]

Updates the controller or the gateway of this machine from a file or a USB drive. From a folder it takes the newest release
for this machine, in lintel/*.release or in the folder itself. The release is verified, installed beside the running version,
and started as soon as the program is idle. A version that does not become healthy is rolled back. A folder does not install
it again, its FILE does.

  --program NAME   controller or gateway (default: ${product})
  --releases DIR   folder of the releases (default: ${programPaths[product].releases})
  --package DIR    folder of the packaged program (default: ${programPaths[product].package})
  --keys DIR       public keys that releases must be signed with (default: ${programPaths[product].keys})
  --wait SECONDS   wait for the result; exit code 1 after a rollback
  --status         show the running version, the pending release and the last update
  --json           print one JSON document

  lintel update /media/usb
`;

const options = {
  program: { type: 'string' },
  releases: { type: 'string' },
  package: { type: 'string' },
  keys: { type: 'string' },
  wait: { type: 'string' },
  status: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

interface Call extends ProgramPaths {
  readonly product: UpdatableProgramName;
  readonly path: string | null;
  /** Null to return without waiting for the result. */
  readonly waitSeconds: number | null;
  readonly isJson: boolean;
}

const parseSeconds = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError('--wait must be a number of seconds');
  return Number(text);
};

const parseArguments = (args: readonly string[], defaultProduct: UpdatableProgramName): Call => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  const { program: product = defaultProduct, wait, status, json, ...paths } = values;
  if (!isUpdatableProgramName(product)) throw new UsageError('--program must be controller or gateway');
  rejectExtraArguments(positionals, 1);
  const [path] = positionals;
  if (path === undefined && status !== true) throw new UsageError('FILE or --status is required');
  return {
    ...programPaths[product],
    ...paths,
    product,
    path: status === true ? null : path!,
    waitSeconds: wait === undefined ? null : parseSeconds(wait),
    isJson: json === true,
  };
};

const openInstallation = ({ product, releases, package: folder, keys }: Call): UnpackReleaseDependencies => {
  const own = readProgramDescription(folder);
  if (own === null) throw new Error(`${folder} has no program. Install the package lintel-${product} first`);
  const files = new ReleasesFolder(releases);
  const slots = files.read();
  const floor = computeOldestAcceptedVersion(slots, own.version);
  const machine = {
    program: own.program,
    arch: toDebianArchitecture(),
    version: slots.good?.version ?? own.version,
    floor,
  };
  return { files, keys: requireReleasePublicKeys(keys), machine };
};

const waitForResult = async (
  files: ReleasesFolder,
  id: string,
  seconds: number,
): Promise<ReleaseTrialResult | null> => {
  for (let left = seconds; left > 0; left--) {
    const { last } = files.read();
    if (last?.id === id) return last;
    await sleep(1000);
  }
  return null;
};

interface CommandResult {
  readonly exitCode: number;
  readonly output: Readonly<Record<string, unknown>>;
}

/** Throws for a path that does not exist, before anything about this machine is judged. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new Error(describeSystemError(error, path), { cause: error });
  }
};

const update = async (path: string, call: Call): Promise<CommandResult> => {
  const isInFolder = isFolder(path);
  const sudoCommand = `sudo lintel-${call.product} update ${path}`;
  requireReadableFolder(call.releases, sudoCommand);
  requireWritableFolder(call.releases, sudoCommand);
  const deps = openInstallation(call);
  const file = isInFolder ? await requireNewestReleaseFile(path, deps) : path;
  const installed = await verifyAndUnpackRelease(file, deps);
  const { good } = deps.files.read();
  if (good?.release === installed.release) return { exitCode: 0, output: { ...installed, state: 'already running' } };
  const id = randomUUID();
  deps.files.setPending({ id, ...installed, rollout_id: null, before: null });
  if (call.waitSeconds === null) return { exitCode: 0, output: { ...installed, state: 'waiting until idle' } };
  const result = await waitForResult(deps.files, id, call.waitSeconds);
  const output = { ...installed, state: result?.result ?? 'not finished yet', reason: result?.reason ?? null };
  return { exitCode: result?.result === 'confirmed' ? 0 : 1, output };
};

const readStatus = (call: Call): CommandResult => {
  requireReadableFolder(call.releases, `sudo lintel-${call.product} update --status`);
  const files = new ReleasesFolder(call.releases);
  const { slots, damage } = files.load();
  const { good, candidate, last } = slots;
  const output = {
    running: candidate?.version ?? good?.version ?? readProgramDescription(call.package)?.version ?? null,
    on_trial: candidate?.version ?? null,
    waiting: files.pending()?.version ?? null,
    last: last === null ? null : `${last.version} ${last.result}${last.reason === null ? '' : `: ${last.reason}`}`,
    ...(damage === null ? {} : { damage }),
  };
  return { exitCode: 0, output };
};

/** The `update` command, with one product as its default. */
export const createUpdateCommand = (product: UpdatableProgramName): CliCommand => {
  const run: CommandHandler = async (args, { stdout }) => {
    const call = parseArguments(args, product);
    const { path, releases } = call;
    const { exitCode, output } =
      path === null ? readStatus(call) : await asFolderOwner(releases, () => update(path, call));
    const lines = Object.entries(output).map(([name, value]) => `${name}: ${String(value)}`);
    stdout.write(call.isJson ? `${JSON.stringify(output)}\n` : `${lines.join('\n')}\n`);
    return exitCode;
  };
  return createCliCommand(usageFor(product), run, describeReleaseError);
};
