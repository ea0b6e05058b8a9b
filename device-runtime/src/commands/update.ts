import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readRelease } from '@lintel/device-link/releases/read-release';
import { readReleaseKeys } from '@lintel/device-link/releases/release-keys';
import { ReleaseRefused } from '@lintel/device-link/releases/release-refused';
import { piecesOf } from '@lintel/device-link/releases/write-release';
import { compareVersions } from '@lintel/wire-protocol/updates/compare-versions';
import { installRelease, type InstallParts } from '../updates/install-release.ts';
import { machineArch } from '../updates/machine-arch.ts';
import { floorOf, type Outcome } from '../updates/slot-machine.ts';
import { programIn, SlotFiles } from '../updates/slot-files.ts';

const usage = `lintel update FILE|FOLDER [--releases DIR] [--package DIR] [--keys DIR] [--wait SECONDS] [--json]
lintel update --status [--releases DIR] [--json]

Brings another version to the controller of this machine, from a file or from a USB stick: of a folder the newest
release that fits is taken, from lintel/*.release or from the folder itself. It is checked, unpacked beside what runs,
and started as soon as nobody is at the doors. A version that does not prove itself makes way again by itself.

  --releases DIR   the controller's releases (default: /var/lib/lintel-releases)
  --package DIR    the program of the package (default: /usr/lib/lintel-controller)
  --keys DIR       the public keys whose releases are taken (default: /etc/lintel/release-keys)
  --wait SECONDS   waits for the outcome; answers 1 when the version was given up
  --status         what runs, what waits, and how the last update ended
  --json           one JSON document on stdout

  lintel update /media/usb
`;

const options = {
  releases: { type: 'string', default: '/var/lib/lintel-releases' },
  package: { type: 'string', default: '/usr/lib/lintel-controller' },
  keys: { type: 'string', default: '/etc/lintel/release-keys' },
  wait: { type: 'string' },
  status: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

class UsageError extends Error {}

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
type Values = ReturnType<typeof parsed>['values'];

const partsOf = (values: Values): InstallParts => {
  const own = programIn(values.package);
  if (own === null) throw new Error(`${values.package} has no program: this machine has no lintel-controller package`);
  const files = new SlotFiles(values.releases);
  const slots = files.read();
  const floor = floorOf(slots, own.version);
  const machine = { program: own.program, arch: machineArch(), version: slots.good?.version ?? own.version, floor };
  return { files, keys: readReleaseKeys(values.keys), machine };
};

/** What root has written the controller could not read: the same files are written by their owner. */
const becomeOwnerOf = (folder: string): void => {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid === 0 || process.getuid?.() !== 0) return;
  process.setgroups?.([found.gid]);
  process.setgid?.(found.gid);
  process.setuid?.(found.uid);
};

const releasesIn = (folder: string): string[] =>
  ['lintel', '.'].flatMap(name => {
    const inside = join(folder, name);
    if (!statSync(inside, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(inside)
      .filter(one => one.endsWith('.release'))
      .map(one => join(inside, one));
  });

/** The newest of a stick that is meant for this machine. What cannot be read is left out, unless nothing else is there. */
const newestIn = async (folder: string, { keys, machine }: InstallParts): Promise<string> => {
  const found: { readonly file: string; readonly version: string }[] = [];
  const problems: string[] = [];
  for (const file of releasesIn(folder)) {
    try {
      const { manifest } = await readRelease(piecesOf(file), keys);
      const isMeant = manifest.program === machine.program && ['all', machine.arch].includes(manifest.arch);
      if (isMeant) found.push({ file, version: manifest.version });
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message}`);
    }
  }
  const newest = found.toSorted((a, b) => compareVersions(b.version, a.version))[0];
  if (newest !== undefined) return newest.file;
  throw new Error([`${folder} has no release for this machine`, ...problems].join('\n'));
};

const outcomeOf = async (files: SlotFiles, id: string, seconds: number): Promise<Outcome | null> => {
  for (let left = seconds; left > 0; left--) {
    const { last } = files.read();
    if (last?.id === id) return last;
    await sleep(1000);
  }
  return null;
};

interface Answer {
  readonly code: number;
  readonly told: Readonly<Record<string, unknown>>;
}

const bring = async (path: string, values: Values): Promise<Answer> => {
  becomeOwnerOf(values.releases);
  const parts = partsOf(values);
  const file = statSync(path).isDirectory() ? await newestIn(path, parts) : path;
  const installed = await installRelease(file, parts);
  const { good } = parts.files.read();
  if (good?.release === installed.release) return { code: 0, told: { ...installed, state: 'runs already' } };
  const id = randomUUID();
  parts.files.wish({ id, ...installed, rollout_id: null, before: null });
  if (values.wait === undefined) return { code: 0, told: { ...installed, state: 'waits for a quiet moment' } };
  const outcome = await outcomeOf(parts.files, id, Number(values.wait));
  const told = { ...installed, state: outcome?.result ?? 'not settled yet', reason: outcome?.reason ?? null };
  return { code: outcome?.result === 'confirmed' ? 0 : 1, told };
};

const status = (values: Values): Answer => {
  const files = new SlotFiles(values.releases);
  const { good, candidate, last } = files.read();
  const told = {
    running: candidate?.version ?? good?.version ?? programIn(values.package)?.version ?? null,
    on_trial: candidate?.version ?? null,
    waiting: files.pending()?.version ?? null,
    last: last === null ? null : `${last.version} ${last.result}${last.reason === null ? '' : `: ${last.reason}`}`,
  };
  return { code: 0, told };
};

const run = async (args: readonly string[]): Promise<number> => {
  try {
    const { values, positionals } = parsed(args);
    const [path] = positionals;
    if (path === undefined && values.status !== true) throw new UsageError('FILE or --status is needed');
    const { code, told } = values.status === true ? status(values) : await bring(path!, values);
    const lines = Object.entries(told).map(([name, value]) => `${name}: ${String(value)}`);
    process.stdout.write(values.json === true ? `${JSON.stringify(told)}\n` : `${lines.join('\n')}\n`);
    return code;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const code = error instanceof ReleaseRefused ? ` (${error.code})` : '';
    process.stderr.write(`${(error as Error).message}${code}\n${isUsage ? `\n${usage}` : ''}`);
    return isUsage ? 2 : 1;
  }
};

export const command = { usage, run };
