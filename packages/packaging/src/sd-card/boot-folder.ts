import { accessSync, constants, readdirSync, statfsSync } from 'node:fs';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { join } from 'node:path';
import { type ExistingSdCardSettings, detectExistingSdCardSettings } from './existing-settings.ts';
import {
  parseKernelArguments,
  findFirstRunArgument,
  hasFirstStartKernelArguments,
  restoreOriginalKernelArguments,
  SAVED_KERNEL_ARGUMENTS_FILE,
} from './kernel-arguments.ts';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';
import { readOptionalTextFile } from './read-optional-text-file.ts';
import { requireUnusedSdCard } from './require-unused-sd-card.ts';

export type FirstBootMechanism = 'cloud-init' | 'firstrun';

/** The FAT partition of a card. */
export interface BootFolderContents {
  readonly path: string;
  readonly mechanism: FirstBootMechanism;
  /** As they were before any preparation. */
  readonly kernelArguments: readonly string[];
  readonly config: string;
  readonly userData: string | null;
  readonly hasMetaData: boolean;
  /** The script of Raspberry Pi Imager, if it runs at the first start. */
  readonly firstRun: string | null;
  /** `issue.txt`, which names the image of Raspberry Pi OS. */
  readonly issue: string | null;
  readonly existing: ExistingSdCardSettings;
  readonly warnings: readonly string[];
}

const readNames = (path: string): string[] => {
  try {
    return readdirSync(path);
  } catch (error) {
    throw new SdCardPreparationError(`${describeSystemError(error, path)}. Is the card plugged in?`);
  }
};

const readRequired = (path: string, name: string): string => {
  const text = readOptionalTextFile(path, name);
  if (text !== null) return text;
  throw new SdCardPreparationError(
    `${path} has no ${name}: it must be the boot partition (usually called bootfs) of a card with Raspberry Pi OS`,
  );
};

const checkWritable = (path: string): void => {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new SdCardPreparationError(
      `${path} cannot be written: ${(error as Error).message}. Slide the card's lock back, or mount it for writing`,
    );
  }
};

const check64Bit = (path: string, names: readonly string[], config: string): string[] => {
  const hasAny = (...kernels: readonly string[]): boolean => kernels.some(name => names.includes(name));
  if (/^\s*arm_64bit\s*=\s*0/m.test(config) || hasAny('kernel.img', 'kernel7.img', 'kernel7l.img'))
    throw new SdCardPreparationError(
      `${path} is of a 32-bit system: write Raspberry Pi OS Lite (64-bit) on the card, as Lintel needs 64 bits`,
    );
  if (hasAny('kernel8.img', 'kernel_2712.img')) return [];
  return [`${path} has no kernel8.img: is it the boot partition of Raspberry Pi OS Lite (64-bit)?`];
};

const mechanismOf = (names: readonly string[], args: readonly string[]): FirstBootMechanism => {
  if (args.includes('cloud-init=disabled')) return 'firstrun';
  const source = args.find(word => /^ds=nocloud/i.test(word));
  if (source !== undefined && /[;](?:s|seedfrom)=/.test(source))
    throw new SdCardPreparationError(
      `cmdline.txt: ${source.split(';')[0]} gets its first-boot settings from the network. Remove this setting, or re-flash the card`,
    );
  return source !== undefined || names.includes('user-data') || names.includes('meta-data') ? 'cloud-init' : 'firstrun';
};

/** Null without a script, and for the script of an earlier preparation, which contains nothing else. */
const imagerScript = (path: string, call: string | undefined): string | null => {
  if (call === undefined) return null;
  if (!call.endsWith('/firstrun.sh'))
    throw new SdCardPreparationError(
      `cmdline.txt: ${call} calls something else at the first start: take it out, or re-flash the card`,
    );
  const script = readOptionalTextFile(path, 'firstrun.sh');
  return script === null || script.includes('"$boot/lintel/start.sh"') ? null : script;
};

export const readBootFolder = (path: string): BootFolderContents => {
  const names = readNames(path);
  const saved = readOptionalTextFile(join(path, 'lintel'), SAVED_KERNEL_ARGUMENTS_FILE);
  const kernelArguments = restoreOriginalKernelArguments(
    parseKernelArguments(readRequired(path, 'cmdline.txt')),
    saved,
  );
  const config = readRequired(path, 'config.txt');
  if (!kernelArguments.some(word => word.startsWith('root=')))
    throw new SdCardPreparationError(`No root= argument in ${join(path, 'cmdline.txt')}. Flash the card again`);
  const warnings = check64Bit(path, names, config);
  requireUnusedSdCard(path);
  checkWritable(path);
  const mechanism = mechanismOf(names, kernelArguments);
  const userData = readOptionalTextFile(path, 'user-data');
  const call = findFirstRunArgument(kernelArguments);
  const firstRun = imagerScript(path, call);
  if (
    !hasFirstStartKernelArguments(kernelArguments) &&
    call === undefined &&
    !kernelArguments.some(word => word.startsWith('ds='))
  )
    warnings.push(
      'cmdline.txt looks as if this card has been started before: if it was, re-flash it with Raspberry Pi OS',
    );
  return {
    path,
    mechanism,
    kernelArguments,
    config,
    userData,
    hasMetaData: names.includes('meta-data'),
    firstRun,
    issue: readOptionalTextFile(path, 'issue.txt'),
    existing: detectExistingSdCardSettings({
      userData: mechanism === 'cloud-init' ? userData : null,
      firstRun,
      customToml: readOptionalTextFile(path, 'custom.toml'),
      hasUserConf: names.includes('userconf.txt') || names.includes('userconf'),
      hasSshFile: names.includes('ssh') || names.includes('ssh.txt'),
    }),
    warnings,
  };
};

/** For the kernels that the system installs later. */
const SPARE_BYTES = 8 * 2 ** 20;

export const requireFreeSpaceOnCard = (path: string, bytes: number): void => {
  const { bavail, bsize } = statfsSync(path);
  const [free, needed] = [bavail * bsize, bytes + SPARE_BYTES];
  if (free >= needed) return;
  const mb = (count: number): string => `${Math.ceil(count / 2 ** 20)} MB`;
  throw new SdCardPreparationError(
    `${path} has ${mb(free)} free, but ${mb(needed)} are required. Re-flash the card with Raspberry Pi OS Lite`,
  );
};
