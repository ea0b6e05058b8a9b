import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { commandOf, type RunCommand, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { readRelease } from '@lintel/updates/release-files/read-release';
import {
  newReleaseKey,
  requireReleaseKeys,
  signerOf,
  type ReleaseSigner,
} from '@lintel/updates/release-files/release-keys';
import { refusalInWords } from '@lintel/updates/release-files/release-refused';
import { signRelease } from '@lintel/updates/release-files/sign-release';
import {
  piecesOf,
  type PayloadFile,
  type ReleasePlan,
  writeRelease,
} from '@lintel/updates/release-files/write-release';
import { payloadDeb } from '../release-payload/payload-deb.ts';
import { payloadFolder } from '../release-payload/payload-folder.ts';
import { RELEASE_FILE } from '@lintel/updates/slot-files';

const usage = `lintel release keys --out FILE
lintel release make --from DEB|FOLDER --key FILE [--out FILE] [OPTIONS]
lintel release sign FILE --key FILE --out FILE
lintel release verify FILE --keys DIR

Releases: signed archives by which controllers and gateways change their version.

  keys     makes a pair: the private key in FILE, the public one in FILE.pub
  make     packs the program of a Debian package, or of a folder, and signs it
  sign     the same release under another key
  verify   reads all of it and holds it against the public keys (*.pub) of DIR

  --version V           instead of the one in its release.json; the same goes for the next three
  --program NAME        controller or gateway: the other one refuses it
  --arch ARCH           arm64, amd64, or all
  --entry PATH          the file that is started
  --minimum-version V   the oldest version that can be updated to it
  --allow-downgrade     it is taken though something newer runs there
  --json                one JSON document on stdout

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

const parsed = (args: readonly string[]) => parseCall({ args, options, allowPositionals: true });
type Values = ReturnType<typeof parsed>['values'];

const needed = (value: string | undefined, name: string): string => {
  if (value === undefined) throw new UsageError(`${name} is needed`);
  return value;
};

const refuseExisting = (file: string): string => {
  if (existsSync(file)) throw new Error(`${file} is there already`);
  return file;
};

const signerIn = (file: string): ReleaseSigner => {
  try {
    return signerOf(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is no private key for releases: ${(error as Error).message}`, { cause: error });
  }
};

type Printed = Readonly<Record<string, unknown>>;

const makeKeys = (values: Values): Printed => {
  const out = refuseExisting(needed(values.out, '--out'));
  const pem = newReleaseKey();
  const { keyId, publicPem } = signerOf(pem);
  writeFileSync(out, pem, { mode: 0o600, flag: 'wx' });
  writeFileSync(refuseExisting(`${out}.pub`), publicPem);
  chmodSync(out, 0o600);
  return { private: out, public: `${out}.pub`, key_id: keyId };
};

interface Payload {
  readonly files: readonly PayloadFile[];
  readonly facts: Readonly<Record<string, unknown>>;
}

const payloadOfDeb = async (file: string): Promise<Payload> => {
  try {
    const { files, facts } = await payloadDeb(file);
    return { files, facts: facts as Payload['facts'] };
  } catch (error) {
    throw new Error(`${file} is no whole Debian package of Lintel: ${(error as Error).message}`, { cause: error });
  }
};

const payloadOf = async (from: string): Promise<Payload> => {
  if (!statSync(from).isDirectory()) return payloadOfDeb(from);
  const described = join(from, RELEASE_FILE);
  const facts = existsSync(described) ? (JSON.parse(readFileSync(described, 'utf8')) as Payload['facts']) : {};
  return { files: payloadFolder(from), facts };
};

const planOf = ({ files, facts }: Payload, values: Values): ReleasePlan => {
  const fact = (name: 'version' | 'program' | 'arch' | 'entry'): string => {
    const known = values[name] ?? facts[name];
    if (typeof known === 'string') return known;
    throw new UsageError(`--${name} is needed: there is no ${RELEASE_FILE} that says it`);
  };
  // Reproducible where the time of the build is given from outside, as elsewhere.
  const epoch = Number(process.env['SOURCE_DATE_EPOCH']);
  return {
    program: fact('program'),
    version: fact('version'),
    arch: fact('arch') as ReleasePlan['arch'],
    entry: fact('entry'),
    minimum_version: values['minimum-version'] ?? null,
    allow_downgrade: values['allow-downgrade'] ?? false,
    createdAt: instant(epoch > 0 ? epoch * 1000 : Date.now()),
    files,
  };
};

const make = async (values: Values): Promise<Printed> => {
  const signer = signerIn(needed(values.key, '--key'));
  const plan = planOf(await payloadOf(needed(values.from, '--from')), values);
  const out = refuseExisting(values.out ?? `lintel-${plan.program}_${plan.version}_${plan.arch}.release`);
  const { files, ...manifest } = await writeRelease(plan, signer, out);
  return { file: out, ...manifest, files: files.length, size: statSync(out).size, key_id: signer.keyId };
};

const sign = async (file: string | undefined, values: Values): Promise<Printed> => {
  const signer = signerIn(needed(values.key, '--key'));
  const out = refuseExisting(needed(values.out, '--out'));
  const { manifest, sha256 } = await signRelease(needed(file, 'FILE'), signer, out);
  return { file: out, version: manifest.version, sha256, key_id: signer.keyId };
};

const verify = async (file: string | undefined, values: Values): Promise<Printed> => {
  const keys = requireReleaseKeys(needed(values.keys, '--keys'));
  const { manifest, keyId, sha256, size } = await readRelease(piecesOf(needed(file, 'FILE')), keys);
  const { files, ...rest } = manifest;
  return { ...rest, files: files.length, size, sha256, key_id: keyId };
};

const doing = (args: readonly string[]): Promise<Printed> | Printed => {
  const { values, positionals } = parsed(args);
  const [what, file] = positionals;
  if (what === 'keys') return makeKeys(values);
  if (what === 'make') return make(values);
  if (what === 'sign') return sign(file, values);
  if (what === 'verify') return verify(file, values);
  throw new UsageError('keys, make, sign or verify');
};

const run: RunCommand = async (args, { stdout }) => {
  const printed = await doing(args);
  const lines = Object.entries(printed).map(([name, value]) => `${name}: ${String(value)}`);
  stdout.write(args.includes('--json') ? `${JSON.stringify(printed)}\n` : `${lines.join('\n')}\n`);
  return 0;
};

export const command = commandOf(usage, run, refusalInWords);
