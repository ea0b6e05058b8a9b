import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '@lintel/service/command-line/command';
import { fingerprintOf, parseCall } from '@lintel/service/command-line/options';
import { checkedLabel } from '../labels/label-option.ts';
import type { ClaimOrder } from '../sd-card/queued-claim.ts';

export type Architecture = 'arm64' | 'amd64';

export interface BuildSettings {
  readonly profile: string;
  readonly out: string;
  readonly architecture: Architecture;
  readonly claim: ClaimOrder | null;
  /** A file with public keys. */
  readonly sshKey: string | null;
  /** Where the label goes, which makes the image one for a single controller. */
  readonly label: string | null;
  /** Of the whole image; null for as much as it takes. */
  readonly sizeBytes: number | null;
  readonly mirror: string;
  readonly cacheDir: string;
  /** A package that has been made already. */
  readonly packageFile: string | null;
  /** A folder of public keys whose releases the controller takes. */
  readonly releaseKeys: string | null;
  /** Files that are laid over the root. */
  readonly overlay: string | null;
  readonly json: boolean;
}

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

const claimOf = (bridge?: string, code?: string, fingerprint?: string): ClaimOrder | null => {
  if (bridge === undefined && code === undefined) return null;
  if (bridge === undefined || code === undefined) throw new UsageError('--bridge and --code go together');
  return { bridge, code, caFingerprint: fingerprintOf(fingerprint) };
};

const defaultCache = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lintel/debian');

const pathOf = (given: string | undefined): string | null => (given === undefined ? null : resolve(given));

export const buildSettings = (args: readonly string[]): BuildSettings => {
  const { profile, out, arch, bridge, code, mirror, cache, json, ...rest } = parseCall({ args, options }).values;
  if (profile === undefined || out === undefined) throw new UsageError('--profile and --out are needed');
  if (arch !== 'arm64' && arch !== 'amd64') throw new UsageError('--arch must be arm64 or amd64');
  if (!/^https?:$/.test(URL.parse(mirror)?.protocol ?? ''))
    throw new UsageError('--mirror must be an address such as http://deb.debian.org/debian');
  return {
    profile,
    out: resolve(out),
    architecture: arch,
    claim: claimOf(bridge, code, rest['ca-fingerprint']),
    sshKey: pathOf(rest['ssh-key']),
    label: pathOf(checkedLabel(rest.label) ?? undefined),
    sizeBytes: sizeOf(rest.size),
    mirror: mirror.replace(/\/$/, ''),
    cacheDir: resolve(cache ?? defaultCache()),
    packageFile: pathOf(rest.package),
    releaseKeys: pathOf(rest['release-keys']),
    overlay: pathOf(rest.overlay),
    json: json === true,
  };
};
