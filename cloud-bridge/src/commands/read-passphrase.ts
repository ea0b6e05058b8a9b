import { readFileSync } from 'node:fs';
import { askSecret } from '@lintel/service/command-line/ask-secret';
import type { CommandStreams } from '@lintel/service/command-line/cli-command';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { BridgeCommandError } from './bridge-command-error.ts';

const MIN_LENGTH = 12;

export const readPassphraseFile = (file: string, option: string): string => {
  try {
    return asCaller(() => readFileSync(file, 'utf8')).trim();
  } catch (error) {
    throw new BridgeCommandError(`--${option}: ${describeSystemError(error, file)}`, { cause: error });
  }
};

const ask = async (question: string): Promise<string> => {
  const answer = await askSecret(question);
  if (answer === null) throw new BridgeCommandError('Canceled');
  return answer;
};

interface PassphraseSource {
  readonly 'passphrase-file'?: string | undefined;
}

/** From `--passphrase-file`, `LINTEL_PASSPHRASE` or the terminal. Not an argument, because other users see those. */
const readPassphrase = async (values: PassphraseSource, { stdin }: CommandStreams): Promise<string | null> => {
  const file = values['passphrase-file'];
  if (file !== undefined) return readPassphraseFile(file, 'passphrase-file');
  const given = process.env['LINTEL_PASSPHRASE'];
  if (given !== undefined && given !== '') return given;
  if (stdin.isTTY === true) return null;
  throw new BridgeCommandError('Specify the passphrase with --passphrase-file FILE or LINTEL_PASSPHRASE');
};

/** Throws a BridgeCommandError for a passphrase that is too short. */
export const requireStrongPassphrase = (passphrase: string): string => {
  if (passphrase.length < MIN_LENGTH)
    throw new BridgeCommandError(`The passphrase must have ${MIN_LENGTH} characters or more`);
  return passphrase;
};

/** Asks twice on a terminal. */
export const readNewPassphrase = async (values: PassphraseSource, streams: CommandStreams): Promise<string> => {
  const given = await readPassphrase(values, streams);
  if (given !== null) return requireStrongPassphrase(given);
  const typed = requireStrongPassphrase(await ask(`Passphrase (${MIN_LENGTH} characters or more): `));
  if ((await ask('Repeat the passphrase: ')) !== typed) throw new BridgeCommandError('The passphrases differ');
  return typed;
};

export const readExistingPassphrase = async (values: PassphraseSource, streams: CommandStreams): Promise<string> =>
  (await readPassphrase(values, streams)) ?? ask('Passphrase: ');
