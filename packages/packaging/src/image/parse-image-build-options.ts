import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { parseLabelOption } from '../labels/write-label-file.ts';
import { parseSdCardClaimOptions } from '../sd-card/claim-options.ts';

export type ImageArchitecture = 'arm64' | 'amd64';

const options = {
  profile: { type: 'string' },
  out: { type: 'string' },
  arch: { type: 'string', default: 'arm64' },
  bridge: { type: 'string' },
  code: { type: 'string' },
  'ca-fingerprint': { type: 'string' },
  'ssh-key': { type: 'string' },
  label: { type: 'string' },
  size: { type: 'string' },
  mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
  cache: { type: 'string' },
  package: { type: 'string' },
  'release-keys': { type: 'string' },
  overlay: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const MIB = 2 ** 20;
const SIZE = /^(\d{1,6})(M|G)?$/;

const sizeOf = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const [, digits, unit] = SIZE.exec(text) ?? [];
  if (digits === undefined) throw new UsageError('--size must be a number of mebibytes such as 2048, or 4G');
  return Number(digits) * MIB * (unit === 'G' ? 1024 : 1);
};

const defaultCache = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lintel/debian');

const pathOf = (given: string | null | undefined): string | null => (given == null ? null : resolve(given));

/** Null stands for a missing option. */
export const parseImageSettings = (args: readonly string[]) => {
  const { profile, out, arch, bridge, code, mirror, cache, json, ...rest } = parseCommandArguments({
    args,
    options,
  }).values;
  if (profile === undefined || out === undefined) throw new UsageError('--profile and --out are required');
  if (arch !== 'arm64' && arch !== 'amd64') throw new UsageError('--arch must be arm64 or amd64');
  const architecture: ImageArchitecture = arch;
  if (!/^https?:$/.test(URL.parse(mirror)?.protocol ?? ''))
    throw new UsageError('--mirror must be an address such as http://deb.debian.org/debian');
  return {
    profile,
    out: resolve(out),
    architecture,
    claim: parseSdCardClaimOptions(bridge, code, rest['ca-fingerprint']),
    sshKey: pathOf(rest['ssh-key']),
    label: pathOf(parseLabelOption(rest.label)),
    sizeBytes: sizeOf(rest.size),
    mirror: mirror.replace(/\/$/, ''),
    cacheDir: resolve(cache ?? defaultCache()),
    packageFile: pathOf(rest.package),
    releaseKeys: pathOf(rest['release-keys']),
    overlay: pathOf(rest.overlay),
    json: json === true,
  };
};

export type ImageSettings = ReturnType<typeof parseImageSettings>;
