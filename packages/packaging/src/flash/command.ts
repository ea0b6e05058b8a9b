import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import { systemErrorInWords } from '@lintel/service/command-line/system-error';
import { commandOf, type CommandStreams, type CommandWriter, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { checkImage, onlyImageIn } from './image-file.ts';
import { lookAtTarget } from './look-at-target.ts';
import { type BlockDevice, judgeTarget, sizeInWords } from './target-judgement.ts';
import { type Progress, writeImage } from './write-image.ts';

const usage = `lintel image flash DEVICE [FILE.img] [--yes] [--json]

Writes an image to a memory card or USB disk, reads it back and compares. Everything on the disk is lost.

  DEVICE     the whole disk: /dev/sdb, /dev/mmcblk0. Refused when it is mounted, built in or too small
  FILE.img   without it the only one of this folder; FILE.img.sha256 beside it is held against it first
  --yes      without the question whether this is the right disk
  --json     one JSON document at the end instead of words

  sudo npx lintel image flash /dev/sdb door.img
`;

const options = { yes: { type: 'boolean' }, json: { type: 'boolean' } } as const;

const settingsOf = (args: readonly string[]) => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [device, file, ...more] = positionals;
  if (device === undefined) throw new UsageError('DEVICE is needed');
  if (more.length > 0) throw new UsageError(`${more[0]} is one word too many`);
  return { device, file, isSure: values.yes === true, json: values.json === true };
};

/** On a terminal a line that changes; in a log a line for every tenth. */
const progressLine = (stderr: CommandWriter): ((progress: Progress) => void) => {
  const isTerminal = stderr.isTTY === true;
  let last = '';
  return ({ step, done, total }) => {
    const percent = Math.floor((100 * done) / total);
    const shown = `${step} ${isTerminal ? percent : percent - (percent % 10)} %`;
    if (shown === last) return;
    last = shown;
    stderr.write(isTerminal ? `\r${shown} of ${sizeInWords(total)} ${done === total ? '\n' : ''}` : `${shown}\n`);
  };
};

const described = ({ path, model, size }: BlockDevice): string =>
  [path, sizeInWords(size), ...(model === null ? [] : [model])].join(', ');

const isConfirmed = async (device: BlockDevice, { stdin }: CommandStreams): Promise<boolean> => {
  if (stdin.isTTY !== true)
    throw new Error('nobody is there to ask: with --yes the disk is written without a question');
  const terminal = createInterface({ input: stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Everything on ${described(device)} will be lost. Type its name to go on: `);
    return answer.trim() === device.path || answer.trim() === device.name;
  } finally {
    terminal.close();
  }
};

const forget = async (target: string): Promise<void> => {
  await promisify(execFile)('blockdev', ['--flushbufs', target]);
};

export const command = commandOf(
  usage,
  async (args, streams) => {
    const { device: path, file, isSure, json } = settingsOf(args);
    const facts = await lookAtTarget(path);
    const image = await checkImage(file ?? onlyImageIn(process.cwd()));
    const judged = judgeTarget(facts, image.size);
    if (!judged.ok) throw new Error(judged.message);
    if (!image.isPromised)
      streams.stderr.write(`${image.file} has no ${image.file}.sha256 beside it: it is written as it is\n`);
    if (!isSure && !(await isConfirmed(facts.device, streams))) throw new Error('nothing was written');
    await writeImage(image, path, { forget, onProgress: progressLine(streams.stderr) });
    const done = { device: path, file: image.file, bytes: image.size, sha256: image.sha256, verified: true };
    streams.stdout.write(
      json
        ? `${JSON.stringify(done)}\n`
        : `${path} holds ${image.file} now (${sizeInWords(image.size)}, read back and compared). It can be taken out.\n`,
    );
    return 0;
  },
  systemErrorInWords,
);
