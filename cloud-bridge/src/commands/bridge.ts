import { createServer } from 'node:https';
import { once } from 'node:events';
import { connectionCutter } from '@lintel/broker/connection-cutter';
import { type CommandWriter, UsageError } from '@lintel/service/command-line/command';
import { parseCall, portNumber, required } from '@lintel/service/command-line/options';
import { markFolder } from '@lintel/service/data-folder/data-folder';
import pino from 'pino';
import type { MailOptions } from '../guest/code-mail.ts';
import { type Bridge, createBridge } from '../main.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { RenewedCertificate } from '../tls/renewed-certificate.ts';
import { serverIdentity, type ServerIdentity } from '../tls/server-identity.ts';
import { parseRange } from '../webhooks/address-guard.ts';
import { bridgeCommand, portProblem } from './options.ts';

const usage = `lintel bridge --data DIR --http-port N --mqtt-port N [OPTIONS]

Runs the cloud bridge: the Access Control Service API under /v2, OAuth under /oauth2, events and device sync.
When it is ready it prints one line of JSON with its addresses; a port of 0 picks a free one.

  --data DIR           database, keys and certificates; made at first start, keep it private
  --http-port N        plain HTTP, on loopback only
  --mqtt-port N        plain MQTT, on loopback only
  --mqtt-url URL       the broker of the controllers is elsewhere: mqtts://broker.example.com:8883; for one bridge of
                       several where the broker cannot share out messages: …?shard=1/3
  --public-url URL     what links, the OAuth issuer and claim tickets say (default: the HTTP address)
  --host ADDR          serve HTTPS on this address too, for other machines
  --https-port N       its port (default: a free one)
  --mqtts-port N       serve MQTT over TLS on --host
  --tls-cert F --tls-key F   the certificate and key of HTTPS in PEM; without them the bridge is its own authority
                       and prints the fingerprint to compare. Controllers know MQTTS by that authority always
  --webhook-allow CIDR  lets webhooks reach a private address range, such as 10.0.0.0/8 (repeatable; default none)
  --trust-proxy CIDR   a proxy in front, such as 127.0.0.1 or 10.0.0.0/8, that says for whom it asks (X-Forwarded-For);
                       without it everybody behind the proxy shares one throttle (repeatable; default none)
  --database URL       postgres://… instead of SQLite in DIR
  --smtp-url URL       smtp://user:password@host:587 sends guests their login codes, from --mail-from ADDRESS;
                       without it the codes are in the log
  --release-keys DIR   public keys whose releases are taken for updates (default: release-keys in DIR)
  --rate-limit N       requests a second for each token (default 100, in bursts of ten times as many)
  --log-level LEVEL    error, warn, info (default), debug; logs go to stderr

  npx lintel bridge --data .lintel/bridge --http-port 8080 --mqtt-port 1883
`;

const logLevels = ['error', 'warn', 'info', 'debug'];

const mailOptions = (smtpUrl: string | undefined, from: string | undefined): MailOptions | undefined => {
  if (smtpUrl === undefined && from === undefined) return undefined;
  if (smtpUrl === undefined || from === undefined) throw new UsageError('--smtp-url and --mail-from go together');
  if (!URL.canParse(smtpUrl) || !/^smtps?:$/.test(new URL(smtpUrl).protocol)) {
    throw new UsageError('--smtp-url must be an address such as smtp://user:password@mail.example.com:587');
  }
  return { smtpUrl, from };
};

const parse = (args: readonly string[]) => {
  const { values } = parseCall({
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
    throw new UsageError('--tls-cert and --tls-key go together');
  }
  if (values['public-url'] !== undefined && !URL.canParse(values['public-url'])) {
    throw new UsageError('--public-url must be an address such as https://doors.example.com');
  }
  if (values['mqtt-url'] !== undefined && !/^(?:mqtts?|wss?):\/\/./.test(values['mqtt-url'])) {
    throw new UsageError('--mqtt-url must be an address such as mqtts://broker.example.com:8883');
  }
  for (const option of ['webhook-allow', 'trust-proxy'] as const) {
    const wrong = values[option].find(range => !parseRange(range).ok);
    if (wrong !== undefined) throw new UsageError(`--${option} ${wrong}: not an address range such as 10.0.0.0/8`);
  }
  if (!logLevels.includes(values['log-level']))
    throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}`);
  const mail = mailOptions(values['smtp-url'], values['mail-from']);
  const rate = values['rate-limit'] === undefined ? 100 : Number(values['rate-limit']);
  if (!(rate > 0)) throw new UsageError('--rate-limit must be a number above 0');
  return {
    ...values,
    dataDir: required(values.data, 'data'),
    httpPort: portNumber(values['http-port'], 'http-port'),
    mqttPort: portNumber(values['mqtt-port'], 'mqtt-port'),
    overTls: [values.host, values['https-port'], values['mqtts-port'], values['tls-cert']].some(
      one => one !== undefined,
    ),
    rateLimit: { perSecond: rate, burst: rate * 10 },
    mail,
  };
};

type Options = ReturnType<typeof parse>;

const LOOPBACK = '127.0.0.1';

/** The name by which other machines know this one, where it was said. */
const publicHost = (options: Options): string | null =>
  options['public-url'] === undefined ? null : new URL(options['public-url']).hostname;

type CertificateFiles = Pick<Options, 'tls-cert' | 'tls-key'>;

const identityFor = (options: Options, given: CertificateFiles): Promise<ServerIdentity> => {
  const publicName = publicHost(options) ?? [];
  return serverIdentity({
    dataDir: options.dataDir,
    now: Date.now(),
    certificateFile: given['tls-cert'],
    keyFile: given['tls-key'],
    names: [publicName, options.host ?? LOOPBACK].flat().filter(name => name !== '0.0.0.0' && name !== '::'),
  });
};

/** The same application behind TLS. */
const serveHttps = async ({ app }: Bridge, host: string, port: number, identity: ServerIdentity) => {
  await app.ready();
  const server = createServer({ key: identity.key, cert: identity.certificate }, (request, response) => {
    app.routing(request, response);
  });
  const cut = connectionCutter(server);
  server.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return { port: address.port, server, cut };
};

type UseCertificate = (next: KeyAndCertificate) => void;

const RENEWAL_LOOK_MS = 86_400_000;

/** Looks each day whether a certificate of the bridge's own authority should give way to the next. */
const renewing = (
  identity: ServerIdentity,
  options: Options,
  logger: pino.Logger,
  use: UseCertificate,
): PeriodicTask => {
  const certificate = new RenewedCertificate(identity, () => identityFor(options, {}), use);
  const look = async (): Promise<void> => {
    if (await certificate.look(Date.now())) logger.info('the certificate of the server was renewed');
  };
  return new PeriodicTask(look, RENEWAL_LOOK_MS, err => logger.error({ err }, 'the certificate was not renewed'));
};

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Listens, and says so. What is to be closed again is in `closing` as soon as it is open. */
const open = async (
  bridge: Bridge,
  options: Options,
  identity: ServerIdentity | null,
  logger: pino.Logger,
  closing: Array<() => Promise<unknown>>,
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
    const https = await serveHttps(bridge, host, portNumber(options['https-port'] ?? '0', 'https-port'), identity);
    closing.push(async () => {
      https.server.close();
      https.cut();
    });
    ready['https'] = `https://${inUrl(host)}:${https.port}`;
    if (options['tls-cert'] === undefined) {
      const use: UseCertificate = ({ key, certificate }) => https.server.setSecureContext({ key, cert: certificate });
      renewals.push(renewing(identity, options, logger, use));
    }
    if (options['mqtts-port'] !== undefined && broker !== null) {
      const { certificate } = await devices.authority();
      // Devices trust our own authority alone, whoever has certified the web address.
      const own = await identityFor(options, {});
      const port = await broker.listenTls(host, portNumber(options['mqtts-port'], 'mqtts-port'), own, certificate);
      renewals.push(renewing(own, options, logger, next => broker.replaceCertificate(next)));
      ready['mqtts'] = `mqtts://${inUrl(host)}:${port}`;
      mqtts = `mqtts://${inUrl(publicHost(options) ?? host)}:${port}`;
    }
    ready['ca_fingerprint'] = identity.fingerprint;
  }
  for (const renewal of renewals) {
    renewal.start();
    closing.push(() => renewal.stop());
  }
  devices.addresses = { mqtts, mqtt: mqtts === mqtt ? null : mqtt };
  stdout.write(`${JSON.stringify(ready)}\n`);
};

const told = (): Promise<void> =>
  new Promise<void>(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

export const command = bridgeCommand(usage, async (args, { stdout, stderr }) => {
  const options = parse(args);
  const logger = pino({ level: options['log-level'] }, stderr === process.stderr ? pino.destination(2) : stderr);
  markFolder(options.dataDir, 'bridge', (level, message, facts) => logger[level](facts ?? {}, message));
  const identity = options.overTls ? await identityFor(options, options) : null;
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
  const closing: Array<() => Promise<unknown>> = [];
  try {
    await open(bridge, options, identity, logger, closing, stdout);
    await told();
    logger.info('stopping');
    return 0;
  } catch (error) {
    throw portProblem(error) ?? error;
  } finally {
    for (const close of closing) await close();
    await bridge.close();
  }
});
