import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, commandOf, type RunCommand, UsageError } from '@lintel/service/command-line/command';
import { parseCall, requireAtMost } from '@lintel/service/command-line/options';
import { requireReleaseKeys } from './release-files/release-keys.ts';
import { refusalInWords } from './release-files/release-error.ts';
import { type InstallParts, installRelease } from './install-release.ts';
import { machineArch } from './machine-arch.ts';
import { requireReadable, requireWritable } from './releases-access.ts';
import { programIn, SlotFiles } from './slot-files.ts';
import { floorOf, type Outcome } from './slot-machine.ts';
import { newestOnStick } from './stick.ts';
import { isUpdatedProduct, type ProductPlaces, productPlaces, type UpdatedProduct } from './updated-products.ts';

const usageFor = (
  product: UpdatedProduct,
): string => `lintel update FILE|FOLDER [--program controller|gateway] [--releases DIR] [--package DIR] [--keys DIR]
                            [--wait SECONDS] [--json]
lintel update --status [--program controller|gateway] [--releases DIR] [--json]

Brings another version to the controller or the gateway of this machine, from a file or from a USB stick: of a folder
the newest release that fits is taken, from lintel/*.release or from the folder itself. It is checked, unpacked beside
what runs, and started as soon as nobody is at the doors. A version that does not prove itself makes way again by itself;
of a folder it is not taken again, named as FILE it is.

  --program NAME   controller or gateway (default: ${product})
  --releases DIR   its releases (default: ${productPlaces[product].releases})
  --package DIR    the program of its package (default: ${productPlaces[product].package})
  --keys DIR       the public keys whose releases are taken (default: ${productPlaces[product].keys})
  --wait SECONDS   waits for the outcome; answers 1 when the version was given up
  --status         what runs, what waits, and how the last update ended
  --json           one JSON document on stdout

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

interface Call extends ProductPlaces {
  readonly product: UpdatedProduct;
  readonly path: string | null;
  /** Null: the outcome is not waited for. */
  readonly waitSeconds: number | null;
  readonly isJson: boolean;
}

const secondsIn = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError('--wait must be seconds');
  return Number(text);
};

const callOf = (args: readonly string[], usual: UpdatedProduct): Call => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const { program: product = usual, wait, status, json, ...places } = values;
  if (!isUpdatedProduct(product)) throw new UsageError('--program must be controller or gateway');
  requireAtMost(positionals, 1);
  const [path] = positionals;
  if (path === undefined && status !== true) throw new UsageError('FILE or --status is required');
  return {
    ...productPlaces[product],
    ...places,
    product,
    path: status === true ? null : path!,
    waitSeconds: wait === undefined ? null : secondsIn(wait),
    isJson: json === true,
  };
};

const partsOf = ({ product, releases, package: folder, keys }: Call): InstallParts => {
  const own = programIn(folder);
  if (own === null) throw new Error(`${folder} has no program: this machine has no lintel-${product} package`);
  const files = new SlotFiles(releases);
  const slots = files.read();
  const floor = floorOf(slots, own.version);
  const machine = { program: own.program, arch: machineArch(), version: slots.good?.version ?? own.version, floor };
  return { files, keys: requireReleaseKeys(keys), machine };
};

/** What root has written the program could not read: the same files are written by their owner. */
const becomeOwnerOf = (folder: string): void => {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid === 0 || process.getuid?.() !== 0) return;
  process.setgroups?.([found.gid]);
  process.setgid?.(found.gid);
  process.setuid?.(found.uid);
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

const bring = async (path: string, call: Call): Promise<Answer> => {
  becomeOwnerOf(call.releases);
  const again = `sudo lintel-${call.product} update ${path}`;
  requireReadable(call.releases, again);
  requireWritable(call.releases, again);
  const parts = partsOf(call);
  const file = statSync(path).isDirectory() ? await newestOnStick(path, parts) : path;
  const installed = await installRelease(file, parts);
  const { good } = parts.files.read();
  if (good?.release === installed.release) return { code: 0, told: { ...installed, state: 'runs already' } };
  const id = randomUUID();
  parts.files.wish({ id, ...installed, rollout_id: null, before: null });
  if (call.waitSeconds === null) return { code: 0, told: { ...installed, state: 'waits for a quiet moment' } };
  const outcome = await outcomeOf(parts.files, id, call.waitSeconds);
  const told = { ...installed, state: outcome?.result ?? 'not settled yet', reason: outcome?.reason ?? null };
  return { code: outcome?.result === 'confirmed' ? 0 : 1, told };
};

const status = (call: Call): Answer => {
  requireReadable(call.releases, `sudo lintel-${call.product} update --status`);
  const files = new SlotFiles(call.releases);
  const { slots, damage } = files.kept();
  const { good, candidate, last } = slots;
  const told = {
    running: candidate?.version ?? good?.version ?? programIn(call.package)?.version ?? null,
    on_trial: candidate?.version ?? null,
    waiting: files.pending()?.version ?? null,
    last: last === null ? null : `${last.version} ${last.result}${last.reason === null ? '' : `: ${last.reason}`}`,
    ...(damage === null ? {} : { damage }),
  };
  return { code: 0, told };
};

/** `update` of the program of one product. */
export const updateCommand = (product: UpdatedProduct): Command => {
  const run: RunCommand = async (args, { stdout }) => {
    const call = callOf(args, product);
    const { code, told } = call.path === null ? status(call) : await bring(call.path, call);
    const lines = Object.entries(told).map(([name, value]) => `${name}: ${String(value)}`);
    stdout.write(call.isJson ? `${JSON.stringify(told)}\n` : `${lines.join('\n')}\n`);
    return code;
  };
  return commandOf(usageFor(product), run, refusalInWords);
};
