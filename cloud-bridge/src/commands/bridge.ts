import { createServer } from 'node:https';
import { once } from 'node:events';
import { connectionCloser } from '@lintel/broker/connection-closer';
import { type CommandWriter, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, parsePort, requireOption } from '@lintel/service/command-line/options';
import { markDataFolder } from '@lintel/service/data-folder/data-folder';
import pino from 'pino';
import type { MailOptions } from '../guest/login-code-mailer.ts';
import { type Bridge, createBridge } from '../main.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { ServerCertificateRenewal } from '../tls/server-certificate-renewal.ts';
import { loadServerIdentity, type ServerIdentity } from '../tls/server-identity.ts';
import { parseAddressRange } from '../webhooks/address-guard.ts';
import { bridgeCommand, toPortError } from './bridge-command.ts';

const usage = `lintel bridge --data DIR --http-port N --mqtt-port N [OPTIONS]

Runs the cloud bridge: the Access Control Service API under /v2, OAuth under /oauth2, events and device sync.
When it is ready, it prints its addresses as one line of JSON. Port 0 selects a free port.

  --data DIR           folder for database, keys and certificates; created at first start, keep it private
  --http-port N        plain HTTP, on loopback only
  --mqtt-port N        plain MQTT, on loopback only
  --mqtt-url URL       use an external broker, such as mqtts://broker.example.com:8883; if several bridges share a
                       broker without shared subscriptions, add the number of this bridge: …?shard=1/3
  --public-url URL     URL in links, claim tickets and as the OAuth issuer (default: the HTTP address)
  --host ADDR          also serve HTTPS on this address, for other machines
  --https-port N       port for HTTPS (default: a free port)
  --mqtts-port N       serve MQTT over TLS on --host
  --tls-cert F --tls-key F   PEM certificate and key for HTTPS (default: a certificate of the bridge's own authority,
                       whose fingerprint is printed). MQTTS always uses the bridge's own authority
  --webhook-allow CIDR  permit webhooks to a private address range, such as 10.0.0.0/8 (repeatable; default none)
  --trust-proxy CIDR   reverse proxy whose X-Forwarded-For is trusted, such as 127.0.0.1 or 10.0.0.0/8; without it, all
                       clients behind the proxy share one rate limit (repeatable; default none)
  --database URL       postgres://… instead of SQLite in DIR
  --smtp-url URL       mail server for login codes of guests, such as smtp://user:password@host:587; requires
                       --mail-from ADDRESS (default: codes are written to the log)
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
  if (!URL.canParse(smtpUrl) || !/^smtps?:$/.test(new URL(smtpUrl).protocol)) {
    throw new UsageError('--smtp-url must be a URL such as smtp://user:password@mail.example.com:587');
  }
  return { smtpUrl, from };
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
  if (values['mqtt-url'] !== undefined && !/^(?:mqtts?|wss?):\/\/./.test(values['mqtt-url'])) {
    throw new UsageError('--mqtt-url must be a URL such as mqtts://broker.example.com:8883');
  }
  for (const option of ['webhook-allow', 'trust-proxy'] as const) {
    const wrong = values[option].find(range => !parseAddressRange(range).ok);
    if (wrong !== undefined) throw new UsageError(`--${option} ${wrong}: not an address range such as 10.0.0.0/8`);
  }
  if (!logLevels.includes(values['log-level']))
    throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}`);
  const mail = mailOptions(values['smtp-url'], values['mail-from']);
  const rate = values['rate-limit'] === undefined ? 100 : Number(values['rate-limit']);
  if (!(rate > 0)) throw new UsageError('--rate-limit must be a number greater than 0');
  return {
    ...values,
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

const identityFor = (options: Options, files: CertificateFiles): Promise<ServerIdentity> => {
  const publicName = publicHost(options) ?? [];
  return loadServerIdentity({
    dataDir: options.dataDir,
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
  const closeConnections = connectionCloser(server);
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
  logger: pino.Logger,
  use: UseCertificate,
): PeriodicTask => {
  const certificate = new ServerCertificateRenewal(identity, () => identityFor(options, {}), use);
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
  identity: ServerIdentity | null,
  logger: pino.Logger,
  closeTasks: Array<() => Promise<unknown>>,
  stdout: CommandWriter,
): Promise<void> => {
  const http = await bridge.listen(LOOPBACK, options.httpPort);
  const { devices } = bridge;
  const { broker } = devices;
  const mqtt = options['mqtt-url'] ?? `mqtt://${LOOPBACK}:${await broker?.listen(LOOPBACK, options.mqttPort)}`;
  const ready: Record<string, string | boolean> = { ready: true, http, mqtt };
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
      renewals.push(createRenewalTask(identity, options, logger, use));
    }
    if (options['mqtts-port'] !== undefined && broker !== null) {
      const { certificate } = await devices.authority();
      // Controllers trust only the bridge's own authority, even if HTTPS uses another certificate.
      const own = await identityFor(options, {});
      const port = await broker.listenTls(host, parsePort(options['mqtts-port'], 'mqtts-port'), own, certificate);
      renewals.push(createRenewalTask(own, options, logger, next => broker.replaceCertificate(next)));
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
  markDataFolder(options.dataDir, 'bridge', (level, message, facts) => logger[level](facts ?? {}, message));
  const identity = options.isTlsEnabled ? await identityFor(options, options) : null;
  const bridge = await createBridge({
    dataDir: options.dataDir,
    database: options.database,
    publicUrl: options['public-url'],
    caFingerprint: identity?.fingerprint,
    logger,
    rateLimit: options.rateLimit,
    mail: options.mail,
    webhookAllow: options['webhook-allow'],
    trustedProxies: options['trust-proxy'],
    mqttUrl: options['mqtt-url'],
    releaseKeys: options['release-keys'],
  });
  const closeTasks: Array<() => Promise<unknown>> = [];
  try {
    await startListening(bridge, options, identity, logger, closeTasks, stdout);
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
