import { readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from './card-text.ts';
import { callsFirstRun, isFresh, KEPT_LINE, wordsBefore, wordsOf } from './kernel-line.ts';
import { type OwnSettings, ownSettings } from './own-settings.ts';
import { PrepareProblem } from './prepare-problem.ts';
import { checkNotUsed } from './used-card.ts';

export type Mechanism = 'cloud-init' | 'firstrun';

/** The FAT partition of a card, as it was found. */
export interface BootFolder {
  readonly path: string;
  readonly mechanism: Mechanism;
  /** As they were before any preparation. */
  readonly kernelWords: readonly string[];
  readonly config: string;
  readonly userData: string | null;
  readonly hasMetaData: boolean;
  /** A script of Raspberry Pi Imager that is going to be called. */
  readonly firstRun: string | null;
  /** `issue.txt`: which image of Raspberry Pi OS it is. */
  readonly issue: string | null;
  readonly own: OwnSettings;
  readonly warnings: readonly string[];
}

const namesIn = (path: string): string[] => {
  try {
    if (!statSync(path).isDirectory()) throw new PrepareProblem(`${path} is a file: it takes the folder of the card`);
    return readdirSync(path);
  } catch (error) {
    if (error instanceof PrepareProblem) throw error;
    throw new PrepareProblem(`${path} cannot be read: ${(error as Error).message}. Is the card plugged in?`);
  }
};

const needed = (path: string, name: string): string => {
  const text = textOf(path, name);
  if (text !== null) return text;
  throw new PrepareProblem(
    `${path} has no ${name}: it must be the boot partition (usually called bootfs) of a card with Raspberry Pi OS`,
  );
};

const checkWritable = (path: string): void => {
  const probe = join(path, 'lintel.try');
  try {
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new PrepareProblem(
      `${path} cannot be written: ${(error as Error).message}. Slide the card's lock back, or mount it for writing`,
    );
  }
};

const THIRTY_TWO_BIT = ['kernel.img', 'kernel7.img', 'kernel7l.img'];
const SIXTY_FOUR_BIT = ['kernel8.img', 'kernel_2712.img'];

const check64Bit = (path: string, names: readonly string[], config: string): string[] => {
  if (/^\s*arm_64bit\s*=\s*0/m.test(config) || THIRTY_TWO_BIT.some(name => names.includes(name)))
    throw new PrepareProblem(
      `${path} is of a 32-bit system: write Raspberry Pi OS Lite (64-bit) on the card, as Lintel needs 64 bits`,
    );
  if (SIXTY_FOUR_BIT.some(name => names.includes(name))) return [];
  return [`${path} has no kernel8.img: is it the boot partition of Raspberry Pi OS Lite (64-bit)?`];
};

const mechanismOf = (names: readonly string[], words: readonly string[]): Mechanism => {
  if (words.includes('cloud-init=disabled')) return 'firstrun';
  const source = words.find(word => /^ds=nocloud/i.test(word));
  if (source !== undefined && /[;](?:s|seedfrom)=/.test(source))
    throw new PrepareProblem(
      `cmdline.txt: ${source.split(';')[0]} fetches the first boot from elsewhere: take the word out of it, or write the card anew`,
    );
  return source !== undefined || names.includes('user-data') || names.includes('meta-data') ? 'cloud-init' : 'firstrun';
};

/** Ours has nothing in it that somebody would miss. */
const imagerScript = (path: string, words: readonly string[]): string | null => {
  const call = words.find(word => word.startsWith('systemd.run='));
  if (call === undefined) return null;
  if (!call.endsWith('/firstrun.sh'))
    throw new PrepareProblem(
      `cmdline.txt: ${call} calls something else at the first start: take it out, or write the card anew`,
    );
  const script = textOf(path, 'firstrun.sh');
  return script === null || script.includes('"$boot/lintel/start.sh"') ? null : script;
};

export const readBootFolder = (path: string): BootFolder => {
  const names = namesIn(path);
  const kernelWords = wordsBefore(wordsOf(needed(path, 'cmdline.txt')), textOf(join(path, 'lintel'), KEPT_LINE));
  const config = needed(path, 'config.txt');
  if (!kernelWords.some(word => word.startsWith('root=')))
    throw new PrepareProblem(`${join(path, 'cmdline.txt')} names no root= partition: write the card anew`);
  const wide = check64Bit(path, names, config);
  checkNotUsed(path);
  checkWritable(path);
  const mechanism = mechanismOf(names, kernelWords);
  const userData = textOf(path, 'user-data');
  const firstRun = imagerScript(path, kernelWords);
  const own = ownSettings({
    userData: mechanism === 'cloud-init' ? userData : null,
    firstRun,
    customToml: textOf(path, 'custom.toml'),
    hasUserConf: names.includes('userconf.txt') || names.includes('userconf'),
    hasSshFile: names.includes('ssh') || names.includes('ssh.txt'),
  });
  const used =
    isFresh(kernelWords) || kernelWords.some(word => word.startsWith('ds=')) || callsFirstRun(kernelWords)
      ? []
      : ['cmdline.txt looks as if this card has been started before: if it was, write Raspberry Pi OS on it anew'];
  return {
    path,
    mechanism,
    kernelWords,
    config,
    userData,
    hasMetaData: names.includes('meta-data'),
    firstRun,
    issue: textOf(path, 'issue.txt'),
    own,
    warnings: [...wide, ...used],
  };
};

const SPARE_BYTES = 8 * 2 ** 20;

/** What is left when the files are on it must do for the system's own kernels. */
export const checkRoom = (path: string, bytes: number): void => {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  if (free >= bytes + SPARE_BYTES) return;
  const mb = (count: number): string => `${Math.ceil(count / 2 ** 20)} MB`;
  throw new PrepareProblem(
    `${path} has ${mb(free)} free, and ${mb(bytes + SPARE_BYTES)} are needed: write Raspberry Pi OS Lite on the card anew`,
  );
};
