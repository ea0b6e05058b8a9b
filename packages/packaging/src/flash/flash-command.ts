import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import {
  createCliCommand,
  type CommandStreams,
  type CommandWriter,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { type CheckedSdCardImage, checkSdCardImage, requireSingleSdCardImage } from './check-image-file.ts';
import { type BlockDevice, requireAllowedFlashTarget, formatByteSize } from './require-allowed-flash-target.ts';
import { inspectFlashTarget } from './inspect-flash-target.ts';
import { type SdCardWriteProgress, writeSdCardImage } from './write-image.ts';

const usage = `lintel image flash DEVICE [FILE.img] [--yes] [--json]

Writes an image to a memory card or USB disk, reads it back and compares. Everything on the disk is lost.

  DEVICE     the whole disk: /dev/sdb, /dev/mmcblk0. Rejected when it is mounted, built in or too small
  FILE.img   the image, by default the only one in this folder. Compared with FILE.img.sha256 first, if that exists
  --yes      write without asking whether this is the right disk
  --json     print one JSON document

  sudo npx lintel image flash /dev/sdb door.img
`;

const options = { yes: { type: 'boolean' }, json: { type: 'boolean' } } as const;

const settingsOf = (args: readonly string[]) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  const [device, file, ...more] = positionals;
  if (device === undefined) throw new UsageError('DEVICE is required');
  if (more.length > 0) throw new UsageError(`Unexpected argument: ${more[0]}`);
  return { device, file, isSure: values.yes === true, json: values.json === true };
};

/** One line per 10 %, in a log. */
const logProgress = (stderr: CommandWriter): ((progress: SdCardWriteProgress) => void) => {
  let last = '';
  return ({ step, done, total }) => {
    const shown = `${step} ${Math.floor((10 * done) / total) * 10} %`;
    if (shown !== last) stderr.write(`${shown}\n`);
    last = shown;
  };
};

const dropCache = async (target: string): Promise<void> => {
  await promisify(execFile)('blockdev', ['--flushbufs', target]);
};

const writeWithProgress = async (
  image: CheckedSdCardImage,
  path: string,
  { stderr }: CommandStreams,
  isQuiet: boolean,
): Promise<void> => {
  using line = openProgressLine({ stderr, isQuiet });
  const onProgress =
    stderr.isTTY === true
      ? ({ step, done, total }: SdCardWriteProgress) => line.report(step, done, total, 'bytes')
      : logProgress(stderr);
  await writeSdCardImage(image, path, { dropCache, onProgress });
};

const described = ({ path, model, size }: BlockDevice): string =>
  [path, formatByteSize(size), ...(model === null ? [] : [model.trim()])].join(', ');

const isConfirmed = async (device: BlockDevice, { stdin }: CommandStreams): Promise<boolean> => {
  if (stdin.isTTY !== true) throw new Error('No terminal to confirm the disk. Use --yes to write without confirmation');
  const terminal = createInterface({ input: stdin, output: process.stderr });
  try {
    const answer = await terminal.question(
      `Everything on ${described(device)} will be lost. Type its name to continue: `,
    );
    return answer.trim() === device.path || answer.trim() === device.name;
  } finally {
    terminal.close();
  }
};

export const command = createCliCommand(
  usage,
  async (args, streams) => {
    const { device: path, file, isSure, json } = settingsOf(args);
    const target = await inspectFlashTarget(path);
    const image = await checkSdCardImage(file ?? requireSingleSdCardImage(process.cwd()));
    requireAllowedFlashTarget(target, image.size);
    if (!image.hasChecksum)
      streams.stderr.write(`${image.file}.sha256 is missing, so the image is not verified before it is written\n`);
    if (!isSure && !(await isConfirmed(target.device, streams))) throw new Error('Nothing was written');
    await writeWithProgress(image, path, streams, json);
    const done = { device: path, file: image.file, bytes: image.size, sha256: image.sha256, verified: true };
    streams.stdout.write(
      json
        ? `${JSON.stringify(done)}\n`
        : `${image.file} is on ${path} (${formatByteSize(image.size)}, read back and compared). The card can be removed.\n`,
    );
    return 0;
  },
  describeSystemError,
);
