import { UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, rejectExtraArguments } from '@lintel/service/command-line/command-arguments';
import { parseLabelOption } from '../labels/write-label-file.ts';
import { isCountryCode } from './country-code.ts';
import { findSsidProblem } from './wifi-credential-problems.ts';
import { parseSdCardClaimOptions } from './claim-options.ts';

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

/** With `--web`, the page asks for everything else. */
const webOptions = {
  web: { type: 'boolean' },
  package: { type: 'string' },
  packages: { type: 'string' },
} as const;

const ssidOption = (ssid: string | undefined): string | null => {
  const problem = ssid === undefined ? null : findSsidProblem(ssid);
  if (problem !== null) throw new UsageError(`--wifi ${problem}`);
  return ssid ?? null;
};

const hostnameOption = (hostname: string | undefined): string | null => {
  if (hostname !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(hostname))
    throw new UsageError('--hostname must be 1 to 63 letters, digits and hyphens');
  return hostname?.toLowerCase() ?? null;
};

const countryOption = (country: string | undefined): string | null => {
  const code = country?.toUpperCase() ?? null;
  if (code !== null && !isCountryCode(code))
    throw new UsageError('--wifi-country must be the two letters of a country, as in ES (ISO 3166)');
  return code;
};

/** Null stands for a missing option. */
export const parseSdCardSettings = (args: readonly string[]) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  const [bootFolder, extra] = positionals;
  if (bootFolder === undefined) throw new UsageError('BOOTFOLDER is required: where the card is mounted');
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
  return {
    bootFolder,
    profile: values.profile ?? null,
    claim: parseSdCardClaimOptions(values.bridge, values.code, values['ca-fingerprint']),
    ssid: ssidOption(values.wifi),
    wifiCountry: countryOption(values['wifi-country']),
    hostname: hostnameOption(values.hostname),
    sshKey: values['ssh-key'] ?? null,
    label: parseLabelOption(values.label),
    package: values.package ?? null,
    packages: values.packages ?? null,
    isFresh: values.fresh === true,
    json: values.json === true,
  };
};

export type SdCardSettings = ReturnType<typeof parseSdCardSettings>;

/** The settings of `--web`; null without it. */
export const parsePreparePageOptions = (args: readonly string[]) => {
  if (!args.includes('--web')) return null;
  const { values, positionals } = parseCommandArguments({ args, options: webOptions, allowPositionals: true });
  rejectExtraArguments(positionals, 1);
  return {
    bootFolder: positionals[0] ?? null,
    args: (['package', 'packages'] as const).flatMap(name =>
      values[name] === undefined ? [] : [`--${name}=${values[name]}`],
    ),
  };
};
