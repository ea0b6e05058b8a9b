import { X509Certificate } from 'node:crypto';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { parsePortOption, requireOption } from '@lintel/service/command-line/command-arguments';
import { parseLogFormat } from '@lintel/service/command-line/program-log';
import { parseProgramOptions } from '@lintel/service/command-line/program-options';
import { parseAddressRange, parseAllowedWebhookTarget } from '../http/webhook-address-guard.ts';
import type { MailOptions } from '../mail/mail-sender.ts';
import { parseAcmeOptions } from './acme-options.ts';
import { chooseLanOptions, type MachineNetwork, readMachineNetwork } from './lan-options.ts';
import { parseRetentionDays } from './retention-option.ts';
import { readPassphraseFile, requireStrongPassphrase } from './read-passphrase.ts';
import {
  readClusterSecretOption,
  parseDatabaseOption,
  postgresUrlProtocols,
  readOptionFile,
  parseSecretUrlOption,
} from './option-values.ts';
import { bridgeOptions } from './bridge-usage.ts';
import { findServiceConfiguration } from './service-configuration.ts';
import { BridgeCommandError } from './bridge-command-error.ts';

const organizationCreationValues = ['owners', 'everyone', 'nobody'] as const;

const logLevels = ['error', 'warn', 'info', 'debug'];

const mailOptions = (smtpUrl: string | undefined, from: string | undefined): MailOptions | undefined => {
  if (smtpUrl === undefined && from === undefined) return undefined;
  if (smtpUrl === undefined || from === undefined)
    throw new UsageError('--smtp-url and --mail-from must be used together');
  return { smtpUrl, from };
};

const brokerProtocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

/** The broker address for controllers. They must not get the credentials of the bridge. */
const publicBrokerUrl = (value: string | undefined, brokerUrl: string | undefined): string | null => {
  if (value === undefined) {
    if (brokerUrl === undefined) return null;
    const url = new URL(brokerUrl);
    url.username = '';
    url.password = '';
    url.search = '';
    return url.href;
  }
  if (brokerUrl === undefined) throw new UsageError('--mqtt-public-url requires --mqtt-url');
  const url = URL.parse(value);
  if (url === null || !brokerProtocols.includes(url.protocol))
    throw new UsageError('--mqtt-public-url must be a URL such as mqtts://broker.example.com:8883');
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--mqtt-public-url must not contain a user name or password: every controller receives it');
  return value;
};

const directDatabaseOption = (value: string | undefined, database: string | undefined): string | undefined => {
  if (value !== undefined && database === undefined) throw new UsageError('--database-direct requires --database');
  return parseSecretUrlOption(
    value,
    postgresUrlProtocols,
    '--database-direct must be a URL such as postgres://host:5432/lintel',
  );
};

const readBrokerAuthority = (file: string | undefined, brokerUrl: string | undefined): string | undefined => {
  if (file === undefined) return undefined;
  if (brokerUrl === undefined) throw new UsageError('--mqtt-ca requires --mqtt-url');
  const text = readOptionFile(file, 'mqtt-ca');
  try {
    return new X509Certificate(text).toString();
  } catch {
    throw new BridgeCommandError(`--mqtt-ca ${file}: not a PEM certificate`);
  }
};

const readMetricsToken = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined;
  const token = readOptionFile(file, 'metrics-token-file');
  if (!/^\S{16,}$/.test(token))
    throw new BridgeCommandError(`--metrics-token-file ${file}: must contain 16 characters or more, without spaces`);
  return token;
};

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const parseDuration = (text: string, option: string): number => {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0)
    throw new UsageError(`--${option} must be a time such as 30m, 12h or 7d`);
  return Number(count) * unitMs[unit!]!;
};

interface BackupOptions {
  readonly folder: string;
  readonly passphraseFile: string;
  readonly intervalMs: number;
  readonly keep: number;
}

const backupOptions = (
  folder: string | undefined,
  passphraseFile: string | undefined,
  interval: string,
  keep: string,
): BackupOptions | null => {
  const intervalMs = parseDuration(interval, 'backup-interval');
  if (!/^[1-9]\d{0,3}$/.test(keep)) throw new UsageError('--backup-keep must be a number from 1 to 9999');
  if (folder === undefined && passphraseFile === undefined) return null;
  if (folder === undefined || passphraseFile === undefined)
    throw new UsageError('--backup-dir and --backup-passphrase-file must be used together');
  requireStrongPassphrase(readPassphraseFile(passphraseFile, 'backup-passphrase-file'));
  return { folder, passphraseFile, intervalMs, keep: Number(keep) };
};

export const parseBridgeOptions = (args: readonly string[], machine: MachineNetwork = readMachineNetwork()) => {
  const given = parseProgramOptions(args, bridgeOptions, process.env, findServiceConfiguration).values;
  const values = given.lan ? { ...given, ...chooseLanOptions(given, machine) } : given;
  if ((values['tls-cert'] === undefined) !== (values['tls-key'] === undefined)) {
    throw new UsageError('--tls-cert and --tls-key must be used together');
  }
  if (values['public-url'] !== undefined && !URL.canParse(values['public-url'])) {
    throw new UsageError('--public-url must be a URL such as https://doors.example.com');
  }
  const brokerUrl = parseSecretUrlOption(
    values['mqtt-url'],
    brokerProtocols,
    '--mqtt-url must be a URL such as mqtts://broker.example.com:8883',
  );
  for (const target of values['webhook-allow']) {
    const parsed = parseAllowedWebhookTarget(target);
    if (!parsed.ok) throw new UsageError(`--webhook-allow: ${parsed.problems[0]?.message}`);
  }
  const wrongProxy = values['trust-proxy'].find(range => !parseAddressRange(range).ok);
  if (wrongProxy !== undefined) {
    throw new UsageError(`--trust-proxy ${wrongProxy}: not an address range such as 10.0.0.0/8`);
  }
  if (!logLevels.includes(values['log-level']))
    throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}`);
  const smtpUrl = parseSecretUrlOption(
    values['smtp-url'],
    ['smtp:', 'smtps:'],
    '--smtp-url must be a URL such as smtp://user:password@mail.example.com:587',
  );
  const mail = mailOptions(smtpUrl, values['mail-from']);
  const rate = values['rate-limit'] === undefined ? 100 : Number(values['rate-limit']);
  if (!(rate > 0)) throw new UsageError('--rate-limit must be a number greater than 0');
  const organizationCreation = organizationCreationValues.find(value => value === values['organization-creation']);
  if (organizationCreation === undefined)
    throw new UsageError(`--organization-creation must be one of ${organizationCreationValues.join(', ')}`);
  if (!/^[1-9]\d{0,6}$/.test(values['mail-limit']))
    throw new UsageError('--mail-limit must be a number from 1 to 9999999');
  const { 'mqtt-url': _, 'smtp-url': __, database, ...rest } = values;
  return {
    ...rest,
    database: parseDatabaseOption(database),
    clusterSecret: readClusterSecretOption(values['cluster-secret-file'], parseDatabaseOption(database)),
    directDatabase: directDatabaseOption(values['database-direct'], database),
    brokerUrl,
    brokerAuthority: readBrokerAuthority(values['mqtt-ca'], brokerUrl),
    publicBrokerUrl: publicBrokerUrl(values['mqtt-public-url'], brokerUrl),
    metricsPort: values['metrics-port'] === undefined ? null : parsePortOption(values['metrics-port'], 'metrics-port'),
    metricsToken: readMetricsToken(values['metrics-token-file']),
    dataDir: requireOption(values.data, 'data'),
    httpPort: parsePortOption(values['http-port'], 'http-port'),
    mqttPort: parsePortOption(values['mqtt-port'], 'mqtt-port'),
    acme: parseAcmeOptions(values),
    isTlsEnabled: [values.host, values['https-port'], values['mqtts-port'], values['tls-cert']].some(
      option => option !== undefined,
    ),
    backups: backupOptions(
      values['backup-dir'],
      values['backup-passphrase-file'],
      values['backup-interval'],
      values['backup-keep'],
    ),
    retention: {
      events: parseRetentionDays(values['event-retention'], 'event-retention'),
      deliveries: parseRetentionDays(values['delivery-retention'], 'delivery-retention'),
    },
    logFormat: parseLogFormat(values['log-format']),
    organizationCreation,
    mailsPerHour: Number(values['mail-limit']),
    rateLimit: { perSecond: rate, burst: rate * 10 },
    mail,
  };
};

export type BridgeCommandOptions = ReturnType<typeof parseBridgeOptions>;
