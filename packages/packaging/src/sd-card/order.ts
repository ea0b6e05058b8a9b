import { UsageError } from '@lintel/service/command-line/command';
import { fingerprintOf, parseCall } from '@lintel/service/command-line/options';
import { checkedLabel } from '../labels/label-option.ts';
import { isCountryCode } from './country-code.ts';
import { ssidProblem } from './network-connections.ts';
import type { ClaimOrder } from './queued-claim.ts';

export interface PrepareOrder {
  readonly bootFolder: string;
  /** Null where the technician chooses it at the door. */
  readonly profile: string | null;
  readonly claim: ClaimOrder | null;
  readonly ssid: string | null;
  readonly wifiCountry: string | null;
  readonly hostname: string | null;
  readonly sshKey: string | null;
  /** Null for one beside where the command is called. */
  readonly label: string | null;
  readonly package: string | null;
  readonly packages: string | null;
  readonly isFresh: boolean;
  readonly json: boolean;
}

const options = {
  profile: { type: 'string' },
  bridge: { type: 'string' },
  code: { type: 'string' },
  'ca-fingerprint': { type: 'string' },
  wifi: { type: 'string' },
  'wifi-country': { type: 'string' },
  hostname: { type: 'string' },
  'ssh-key': { type: 'string' },
  label: { type: 'string' },
  package: { type: 'string' },
  packages: { type: 'string' },
  fresh: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const claimOf = (bridge?: string, code?: string, fingerprint?: string): ClaimOrder | null => {
  if (bridge === undefined && code === undefined) {
    if (fingerprint !== undefined) throw new UsageError('--ca-fingerprint goes with --bridge and --code');
    return null;
  }
  if (bridge === undefined || code === undefined) throw new UsageError('--bridge and --code go together');
  return { bridge, code, caFingerprint: fingerprintOf(fingerprint) };
};

const checkedSsid = (ssid: string | undefined): string | null => {
  const wrong = ssid === undefined ? null : ssidProblem(ssid);
  if (wrong !== null) throw new UsageError(`--wifi ${wrong}`);
  return ssid ?? null;
};

const checkedHostname = (hostname: string | undefined): string | null => {
  if (hostname !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(hostname))
    throw new UsageError('--hostname must be 1 to 63 letters, digits and hyphens');
  return hostname?.toLowerCase() ?? null;
};

const checkedCountry = (country: string | undefined): string | null => {
  const code = country?.toUpperCase() ?? null;
  if (code !== null && !isCountryCode(code))
    throw new UsageError('--wifi-country must be the two letters of a country, as in ES (ISO 3166)');
  return code;
};

export const orderOf = (args: readonly string[]): PrepareOrder => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [bootFolder, ...more] = positionals;
  if (bootFolder === undefined) throw new UsageError('BOOTFOLDER is needed: where the card is mounted');
  if (more.length > 0) throw new UsageError(`${more[0]} is one word too many`);
  return {
    bootFolder,
    profile: values.profile ?? null,
    claim: claimOf(values.bridge, values.code, values['ca-fingerprint']),
    ssid: checkedSsid(values.wifi),
    wifiCountry: checkedCountry(values['wifi-country']),
    hostname: checkedHostname(values.hostname),
    sshKey: values['ssh-key'] ?? null,
    label: checkedLabel(values.label),
    package: values.package ?? null,
    packages: values.packages ?? null,
    isFresh: values.fresh === true,
    json: values.json === true,
  };
};
