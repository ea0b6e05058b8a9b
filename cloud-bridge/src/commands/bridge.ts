import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { createConnectionCloser } from '@lintel/broker/connection-closer';
import { type CommandWriter, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, parsePort, requireOption } from '@lintel/service/command-line/options';
import { describeSystemError } from '@lintel/service/command-line/system-error';
import { markDataFolder, rejectForeignDataFolder, requirePrivateFolder } from '@lintel/service/data-folder/data-folder';
import pino from 'pino';
import type { MailOptions } from '../mail/mail-sender.ts';
import { parseAddressRange, parseAllowedTarget } from '../http/address-guard.ts';
import { type Bridge, createBridge } from '../main.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { ServerCertificateRenewal } from '../tls/server-certificate-renewal.ts';
import { loadServerIdentity, type ServerIdentity } from '../tls/server-identity.ts';
import { bridgeCommand, databaseOption, secretUrlOption, toPortError } from './bridge-command.ts';

const usage = `lintel bridge --data DIR --http-port N --mqtt-port N [OPTIONS]

Runs the cloud bridge: the Access Control Service API under /v2, OAuth under /oauth2, events and device sync.
When it is ready, it prints its addresses as one line of JSON. Port 0 selects a free port.

  --data DIR           folder for database, keys and certificates; created at first start, keep it private
  --http-port N        plain HTTP, on loopback only
  --mqtt-port N        plain MQTT, on loopback only
  --mqtt-url URL       use an external broker, such as mqtts://broker.example.com:8883; if several bridges share a
                       broker without shared subscriptions, add the number of this bridge: …?shard=1/3
                       a user name and password in the URL, or in the variable LINTEL_MQTT_URL, stay in this bridge
  --mqtt-public-url URL  broker address for controllers (default: --mqtt-url without user name and password)
  --public-url URL     URL in links, claim tickets and as the OAuth issuer (default: the HTTP address)
  --host ADDR          also serve HTTPS on this address, for other machines
  --https-port N       port for HTTPS (default: a free port)
  --mqtts-port N       serve MQTT over TLS on --host
  --tls-cert F --tls-key F   PEM certificate and key for HTTPS (default: a certificate of the bridge's own authority,
                       whose fingerprint is printed). MQTTS always uses the bridge's own authority
  --webhook-allow CIDR  permit webhooks to a private address range, such as 10.0.0.0/8, or to one address and port, such
                       as 10.0.0.7:8080 (repeatable; default none)
  --trust-proxy CIDR   reverse proxy whose X-Forwarded-For is trusted, such as 127.0.0.1 or 10.0.0.0/8; without it, all
                       clients behind the proxy share one rate limit (repeatable; default none)
  --database URL       postgres://… instead of SQLite in DIR (or LINTEL_DATABASE, which other users cannot see)
  --smtp-url URL       mail server for login codes of guests, invitations and password resets, such as
                       smtp://user:password@host:587; requires --mail-from ADDRESS (default: login codes are written to
                       the log, and the person who invites a user gets the link)
  --metrics-port N     serve Prometheus metrics at /metrics on this loopback port
  --metrics-token-file F  serve /metrics on the other ports too, for requests with the bearer token in this file
  --release-keys DIR   public keys for verifying releases (default: release-keys in the data folder)
  --rate-limit N       requests per second and token, with bursts of ten times as many (default 100)
  --log-level LEVEL    error, warn, info (default), debug; logs go to stderr

  npx lintel bridge --data .lintel/bridge --http-port 8080 --mqtt-port 1883
`;

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

const readMetricsToken = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined;
  let token: string;
  try {
    token = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--metrics-token-file: ${describeSystemError(error)}`);
  }
  if (!/^\S{16,}$/.test(token))
    throw new UsageError(`--metrics-token-file ${file}: must contain 16 characters or more, without spaces`);
  return token;
};

const parse = (args: readonly string[]) => {
  const { values } = parseCommandArguments({
    args,
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      'http-port': { type: 'string' },
      'mqtt-port': { type: 'string' },
      host: { type: 'string' },
      'public-url': { type: 'string' },
      'https-port': { type: 'string' },
      'mqtts-port': { type: 'string' },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      database: { type: 'string' },
      'mqtt-url': { type: 'string' },
      'mqtt-public-url': { type: 'string' },
      'metrics-port': { type: 'string' },
      'metrics-token-file': { type: 'string' },
      'rate-limit': { type: 'string' },
      'release-keys': { type: 'string' },
      'smtp-url': { type: 'string' },
      'mail-from': { type: 'string' },
      'webhook-allow': { type: 'string', multiple: true, default: [] },
      'trust-proxy': { type: 'string', multiple: true, default: [] },
      'log-level': { type: 'string', default: 'info' },
    },
  });
  if ((values['tls-cert'] === undefined) !== (values['tls-key'] === undefined)) {
    throw new UsageError('--tls-cert and --tls-key must be used together');
  }
  if (values['public-url'] !== undefined && !URL.canParse(values['public-url'])) {
    throw new UsageError('--public-url must be a URL such as https://doors.example.com');
  }
  const brokerUrl = secretUrlOption(
    values['mqtt-url'],
    'LINTEL_MQTT_URL',
    brokerProtocols,
    '--mqtt-url must be a URL such as mqtts://broker.example.com:8883',
  );
  for (const target of values['webhook-allow']) {
    const parsed = parseAllowedTarget(target);
    if (!parsed.ok) throw new UsageError(`--webhook-allow: ${parsed.problems[0]?.message}`);
  }
  const wrongProxy = values['trust-proxy'].find(range => !parseAddressRange(range).ok);
  if (wrongProxy !== undefined) {
    throw new UsageError(`--trust-proxy ${wrongProxy}: not an address range such as 10.0.0.0/8`);
  }
  if (!logLevels.includes(values['log-level']))
    throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}`);
  const smtpUrl = secretUrlOption(
    values['smtp-url'],
    'LINTEL_SMTP_URL',
    ['smtp:', 'smtps:'],
    '--smtp-url must be a URL such as smtp://user:password@mail.example.com:587',
  );
  const mail = mailOptions(smtpUrl, values['mail-from']);
  const rate = values['rate-limit'] === undefined ? 100 : Number(values['rate-limit']);
  if (!(rate > 0)) throw new UsageError('--rate-limit must be a number greater than 0');
  const { 'mqtt-url': _, 'smtp-url': __, database, ...rest } = values;
  return {
    ...rest,
    database: databaseOption(database),
    brokerUrl,
    publicBrokerUrl: publicBrokerUrl(values['mqtt-public-url'], brokerUrl),
    metricsPort: values['metrics-port'] === undefined ? null : parsePort(values['metrics-port'], 'metrics-port'),
    metricsToken: readMetricsToken(values['metrics-token-file']),
    dataDir: requireOption(values.data, 'data'),
    httpPort: parsePort(values['http-port'], 'http-port'),
    mqttPort: parsePort(values['mqtt-port'], 'mqtt-port'),
    isTlsEnabled: [values.host, values['https-port'], values['mqtts-port'], values['tls-cert']].some(
      option => option !== undefined,
    ),
    rateLimit: { perSecond: rate, burst: rate * 10 },
    mail,
  };
};

type Options = ReturnType<typeof parse>;

const LOOPBACK = '127.0.0.1';

/** The host name in --public-url; null without it. */
const publicHost = (options: Options): string | null =>
  options['public-url'] === undefined ? null : new URL(options['public-url']).hostname;

type CertificateFiles = Pick<Options, 'tls-cert' | 'tls-key'>;

const identityFor = (
  options: Options,
  files: CertificateFiles,
  { authority }: Bridge['services'],
): Promise<ServerIdentity> => {
  const publicName = publicHost(options) ?? [];
  return loadServerIdentity({
    authority,
    now: Date.now(),
    certificateFile: files['tls-cert'],
    keyFile: files['tls-key'],
    names: [publicName, options.host ?? LOOPBACK].flat().filter(name => name !== '0.0.0.0' && name !== '::'),
  });
};

/** Serves the application over TLS, in addition to plain HTTP. */
const serveHttps = async ({ app }: Bridge, host: string, port: number, identity: ServerIdentity) => {
  await app.ready();
  const server = createServer({ key: identity.key, cert: identity.certificate }, (request, response) => {
    app.routing(request, response);
  });
  const closeConnections = createConnectionCloser(server);
  server.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return { port: address.port, server, closeConnections };
};

type UseCertificate = (next: KeyAndCertificate) => void;

const RENEWAL_CHECK_MS = 86_400_000;

/** Checks daily whether a certificate of the bridge's own authority must be renewed. */
const createRenewalTask = (
  identity: ServerIdentity,
  options: Options,
  bridge: Bridge,
  logger: pino.Logger,
  use: UseCertificate,
): PeriodicTask => {
  const issue = (): Promise<ServerIdentity> => identityFor(options, {}, bridge.services);
  const certificate = new ServerCertificateRenewal(identity, issue, use);
  const renewIfDue = async (): Promise<void> => {
    if (await certificate.renewIfDue(Date.now())) logger.info('Server certificate renewed');
  };
  return new PeriodicTask(renewIfDue, RENEWAL_CHECK_MS, err =>
    logger.error({ err }, 'Server certificate could not be renewed'),
  );
};

const toUrlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Opens all ports and prints the addresses. Adds to `closeTasks` as soon as something is open. */
const startListening = async (
  bridge: Bridge,
  options: Options,
  logger: pino.Logger,
  closeTasks: Array<() => Promise<unknown>>,
  stdout: CommandWriter,
): Promise<void> => {
  const identity = options.isTlsEnabled ? await identityFor(options, options, bridge.services) : null;
  if (identity !== null) bridge.setCaFingerprint(identity.fingerprint);
  const http = await bridge.listen(LOOPBACK, options.httpPort);
  const { devices } = bridge;
  const { broker } = devices;
  const mqtt = options.publicBrokerUrl ?? `mqtt://${LOOPBACK}:${await broker?.listen(LOOPBACK, options.mqttPort)}`;
  const ready: Record<string, string | boolean> = { ready: true, http, mqtt };
  if (options.metricsPort !== null)
    ready['metrics'] = `http://${LOOPBACK}:${await bridge.listenForMetrics(LOOPBACK, options.metricsPort)}/metrics`;
  let mqtts: string | null = mqtt.startsWith('mqtts:') ? mqtt : null;
  const renewals: PeriodicTask[] = [];
  if (identity !== null) {
    const host = options.host ?? LOOPBACK;
    const https = await serveHttps(bridge, host, parsePort(options['https-port'] ?? '0', 'https-port'), identity);
    closeTasks.push(async () => {
      https.server.close();
      https.closeConnections();
    });
    ready['https'] = `https://${toUrlHost(host)}:${https.port}`;
    if (options['tls-cert'] === undefined) {
      const use: UseCertificate = ({ key, certificate }) => https.server.setSecureContext({ key, cert: certificate });
      renewals.push(createRenewalTask(identity, options, bridge, logger, use));
    }
    if (options['mqtts-port'] !== undefined && broker !== null) {
      const { certificate } = await devices.authority();
      // Controllers trust only the bridge's own authority, even if HTTPS uses another certificate.
      const own = await identityFor(options, {}, bridge.services);
      const port = await broker.listenTls(host, parsePort(options['mqtts-port'], 'mqtts-port'), own, certificate);
      renewals.push(createRenewalTask(own, options, bridge, logger, next => broker.replaceCertificate(next)));
      ready['mqtts'] = `mqtts://${toUrlHost(host)}:${port}`;
      mqtts = `mqtts://${toUrlHost(publicHost(options) ?? host)}:${port}`;
    }
    ready['ca_fingerprint'] = identity.fingerprint;
  }
  for (const renewal of renewals) {
    renewal.start();
    closeTasks.push(() => renewal.stop());
  }
  devices.brokerAddresses = { mqtts, mqtt: mqtts === mqtt ? null : mqtt };
  stdout.write(`${JSON.stringify(ready)}\n`);
};

const waitForStopSignal = (): Promise<void> =>
  new Promise<void>(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

export const command = bridgeCommand(usage, async (args, { stdout, stderr }) => {
  const options = parse(args);
  const logger = pino({ level: options['log-level'] }, stderr === process.stderr ? pino.destination(2) : stderr);
  rejectForeignDataFolder(options.dataDir, 'bridge');
  requirePrivateFolder(options.dataDir);
  markDataFolder(options.dataDir, 'bridge', (level, message, facts) => logger[level](facts ?? {}, message));
  const bridge = await createBridge({
    dataDir: options.dataDir,
    database: options.database,
    publicUrl: options['public-url'],
    logger,
    rateLimit: options.rateLimit,
    mail: options.mail,
    webhookAllow: options['webhook-allow'],
    trustedProxies: options['trust-proxy'],
    mqttUrl: options.brokerUrl,
    metricsToken: options.metricsToken,
    releaseKeys: options['release-keys'],
  });
  const closeTasks: Array<() => Promise<unknown>> = [];
  try {
    await startListening(bridge, options, logger, closeTasks, stdout);
    await waitForStopSignal();
    logger.info('Stopping');
    return 0;
  } catch (error) {
    throw toPortError(error) ?? error;
  } finally {
    for (const close of closeTasks) await close();
    await bridge.close();
  }
});
