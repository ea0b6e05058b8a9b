import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { createCliCommand, type CommandHandler, UsageError } from '@lintel/service/command-line/cli-command';
import {
  parseCommandArguments,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { describeUnknownSubcommand } from '@lintel/service/command-line/subcommands';
import { readRelease } from '@lintel/updates/release-files/read-release';
import {
  generateReleasePrivateKey,
  type ReleaseSigner,
  requireReleasePublicKeys,
  createReleaseSigner,
} from '@lintel/updates/release-files/release-keys';
import { describeReleaseError } from '@lintel/updates/release-files/release-error';
import { signReleaseCopy } from '@lintel/updates/release-files/sign-release-copy';
import { openReleaseFile, type ReleaseDefinition, writeRelease } from '@lintel/updates/release-files/write-release';
import { RELEASE_DESCRIPTION_FILE } from '@lintel/updates/releases-folder';
import { type DebianProgramPayload, readDebPayload } from '../release-payload/read-deb-payload.ts';
import { readFolderPayload } from '../release-payload/read-folder-payload.ts';

const usage = `lintel release keys --out FILE
lintel release make --from DEB|FOLDER --key FILE [--out FILE] [OPTIONS]
lintel release sign FILE --key FILE --out FILE
lintel release verify FILE --keys DIR

Releases are signed archives that update controllers and gateways.

  keys     make a key pair: the private key in FILE, the public key in FILE.pub
  make     pack the program of a Debian package or of a folder, and sign it
  sign     sign a release with another key
  verify   check a release against the public keys (*.pub) in DIR

  --version V           default: from its release.json; also for the next three
  --program NAME        controller or gateway: the other one rejects it
  --arch ARCH           arm64, amd64, or all
  --entry PATH          the file that is started
  --minimum-version V   the oldest version that can be updated to it
  --allow-downgrade     also replaces a newer version
  --json                print one JSON document

  npx lintel release make --from lintel-controller_1.5.0_arm64.deb --key release.key
`;

const options = {
  from: { type: 'string' },
  key: { type: 'string' },
  keys: { type: 'string' },
  out: { type: 'string' },
  version: { type: 'string' },
  program: { type: 'string' },
  arch: { type: 'string' },
  entry: { type: 'string' },
  'minimum-version': { type: 'string' },
  'allow-downgrade': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => parseCommandArguments({ args, options, allowPositionals: true });
type Values = ReturnType<typeof parse>['values'];

const newFile = (file: string): string => {
  if (existsSync(file)) throw new Error(`${file} exists already`);
  return file;
};

const readSigner = (values: Values): ReleaseSigner => {
  const file = requireOption(values.key, 'key');
  const pem = readFileSync(file, 'utf8');
  try {
    return createReleaseSigner(pem);
  } catch (error) {
    throw new Error(`${file} is not a release signing key: a file of lintel release keys, in PEM format`, {
      cause: error,
    });
  }
};

type Output = Readonly<Record<string, unknown>>;

const makeKeys = (values: Values): Output => {
  const out = newFile(requireOption(values.out, 'out'));
  const pem = generateReleasePrivateKey();
  const { keyId, publicPem } = createReleaseSigner(pem);
  writeFileSync(out, pem, { mode: 0o600, flag: 'wx' });
  writeFileSync(newFile(`${out}.pub`), publicPem);
  chmodSync(out, 0o600);
  return { private: out, public: `${out}.pub`, key_id: keyId };
};

const readProgram = async (from: string): Promise<DebianProgramPayload> => {
  if (statSync(from).isDirectory()) {
    const description = join(from, RELEASE_DESCRIPTION_FILE);
    const facts = existsSync(description) ? (JSON.parse(readFileSync(description, 'utf8')) as Output) : {};
    return { files: readFolderPayload(from), facts };
  }
  try {
    return await readDebPayload(from);
  } catch (error) {
    throw new Error(`${from} is not a complete Debian package of Lintel: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

const planOf = ({ files, facts }: DebianProgramPayload, values: Values): ReleaseDefinition => {
  const fact = (name: 'version' | 'program' | 'arch' | 'entry'): string => {
    const value = values[name] ?? facts[name];
    if (typeof value === 'string') return value;
    throw new UsageError(`--${name} is required, because ${RELEASE_DESCRIPTION_FILE} does not contain it`);
  };
  const epoch = Number(process.env['SOURCE_DATE_EPOCH']);
  return {
    program: fact('program'),
    version: fact('version'),
    arch: fact('arch') as ReleaseDefinition['arch'],
    entry: fact('entry'),
    minimum_version: values['minimum-version'] ?? null,
    allow_downgrade: values['allow-downgrade'] ?? false,
    createdAt: instant(epoch > 0 ? epoch * 1000 : Date.now()),
    files,
  };
};

const make = async (values: Values): Promise<Output> => {
  const signer = readSigner(values);
  const plan = planOf(await readProgram(requireOption(values.from, 'from')), values);
  const out = newFile(values.out ?? `lintel-${plan.program}_${plan.version}_${plan.arch}.release`);
  const { files, ...manifest } = await writeRelease(plan, signer, out);
  return { file: out, ...manifest, files: files.length, size: statSync(out).size, key_id: signer.keyId };
};

const sign = async (values: Values, file: string | undefined): Promise<Output> => {
  const signer = readSigner(values);
  const out = newFile(requireOption(values.out, 'out'));
  const { manifest, sha256 } = await signReleaseCopy(requireOption(file, 'FILE'), signer, out);
  return { file: out, version: manifest.version, sha256, key_id: signer.keyId };
};

const verify = async (values: Values, file: string | undefined): Promise<Output> => {
  const keys = requireReleasePublicKeys(requireOption(values.keys, 'keys'));
  const { manifest, keyId, sha256, size } = await readRelease(openReleaseFile(requireOption(file, 'FILE')), keys);
  const { files, ...rest } = manifest;
  return { ...rest, files: files.length, size, sha256, key_id: keyId };
};

const subcommands: Readonly<Record<string, (values: Values, file: string | undefined) => Promise<Output> | Output>> = {
  keys: makeKeys,
  make,
  sign,
  verify,
};

const run: CommandHandler = async (args, { stdout }) => {
  const { values, positionals } = parse(args);
  const [name = '', file] = positionals;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) throw new UsageError(describeUnknownSubcommand(name, Object.keys(subcommands)));
  rejectExtraArguments(positionals, name === 'sign' || name === 'verify' ? 2 : 1);
  const output = await subcommand(values, file);
  const lines = Object.entries(output).map(([key, value]) => `${key}: ${String(value)}`);
  stdout.write(values.json === true ? `${JSON.stringify(output)}\n` : `${lines.join('\n')}\n`);
  return 0;
};

export const command = createCliCommand(usage, run, describeReleaseError);
