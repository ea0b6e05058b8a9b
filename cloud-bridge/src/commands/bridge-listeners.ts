import { X509Certificate } from 'node:crypto';
import type { CommandWriter } from '@lintel/service/command-line/cli-command';
import { parsePortOption } from '@lintel/service/command-line/command-arguments';
import type pino from 'pino';
import { AcmeChallengeResponses } from '../acme/acme-challenge-responses.ts';
import type { Bridge } from '../main.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { ServerCertificateRenewal } from '../tls/server-certificate-renewal.ts';
import { loadOrIssueServerIdentity, type ServerIdentity } from '../tls/load-or-issue-server-certificate.ts';
import type { BridgeCommandOptions } from './bridge-options.ts';
import { describeLanNextSteps } from './lan-options.ts';
import { serveHttps } from './https-listener.ts';
import { storePublicUrl } from './public-url.ts';
import { startAcmeCertificateRenewal } from './start-acme-certificate-renewal.ts';
import { createCertificateReloadTask } from './reload-certificate-files.ts';

const LOOPBACK = '127.0.0.1';

/** The host name in --public-url; null without it. */
const publicHost = (options: BridgeCommandOptions): string | null =>
  options['public-url'] === undefined ? null : new URL(options['public-url']).hostname;

type CertificateFiles = Partial<Pick<BridgeCommandOptions, 'tls-cert' | 'tls-key'>>;

const identityFor = (
  options: BridgeCommandOptions,
  files: CertificateFiles,
  { authority }: Bridge['services'],
): Promise<ServerIdentity> => {
  const publicName = publicHost(options) ?? [];
  return loadOrIssueServerIdentity({
    authority,
    now: Date.now(),
    certificateFile: files['tls-cert'],
    keyFile: files['tls-key'],
    names: [publicName, options.host ?? LOOPBACK].flat().filter(name => name !== '0.0.0.0' && name !== '::'),
  });
};

type UseCertificate = (next: KeyAndCertificate) => void;

const RENEWAL_CHECK_MS = 86_400_000;

/** Checks daily whether a certificate of the bridge's own authority must be renewed. */
const createRenewalTask = (
  identity: ServerIdentity,
  options: BridgeCommandOptions,
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
export const startBridgeListeners = async (
  bridge: Bridge,
  options: BridgeCommandOptions,
  logger: pino.Logger,
  closeTasks: Array<() => Promise<unknown>>,
  stdout: CommandWriter,
  stderr: CommandWriter,
): Promise<void> => {
  const { acme } = options;
  const identity = options.isTlsEnabled ? await identityFor(options, options, bridge.services) : null;
  // Controllers trust a public authority without a fingerprint.
  if (identity !== null && acme === null) bridge.setCaFingerprint(identity.fingerprint);
  const http = await bridge.listen(options['http-host'], options.httpPort);
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
    const challenges = acme === null ? null : new AcmeChallengeResponses();
    const httpsPort = parsePortOption(options['https-port'] ?? '0', 'https-port');
    const https = await serveHttps(bridge, host, httpsPort, identity, challenges);
    closeTasks.push(() => https.close());
    ready['https'] = `https://${toUrlHost(host)}:${https.port}`;
    if (acme !== null && challenges !== null) {
      const port = await startAcmeCertificateRenewal(
        bridge,
        { ...options, acme },
        https,
        challenges,
        logger,
        closeTasks,
      );
      if (port !== null) ready['acme'] = `http://${toUrlHost(host)}:${port}`;
    } else if (options['tls-cert'] === undefined) {
      renewals.push(createRenewalTask(identity, options, bridge, logger, next => https.useCertificate(next)));
    } else {
      const use = (next: ServerIdentity): void => {
        https.useCertificate(next);
        bridge.setCaFingerprint(next.fingerprint);
      };
      renewals.push(
        createCertificateReloadTask(identity, () => identityFor(options, options, bridge.services), use, logger),
      );
    }
    if (options['mqtts-port'] !== undefined && broker !== null) {
      const { certificate } = await devices.authority();
      // Controllers trust only the bridge's own authority, even if HTTPS uses another certificate.
      const own = await identityFor(options, {}, bridge.services);
      const port = await broker.listenTls(host, parsePortOption(options['mqtts-port'], 'mqtts-port'), own, certificate);
      const reportExpiry = (next: KeyAndCertificate): void =>
        bridge.metrics.setCertificateExpiry('mqtts', new X509Certificate(next.certificate).validToDate);
      reportExpiry(own);
      const use: UseCertificate = next => {
        broker.replaceCertificate(next);
        reportExpiry(next);
      };
      renewals.push(createRenewalTask(own, options, bridge, logger, use));
      ready['mqtts'] = `mqtts://${toUrlHost(host)}:${port}`;
      mqtts = `mqtts://${toUrlHost(publicHost(options) ?? host)}:${port}`;
    }
    if (acme === null) ready['ca_fingerprint'] = identity.fingerprint;
  }
  for (const renewal of renewals) {
    renewal.start();
    closeTasks.push(() => renewal.stop());
  }
  devices.brokerAddresses = { mqtts, mqtt: mqtts === mqtt ? null : mqtt };
  storePublicUrl(options.dataDir, bridge.services.publicUrl, logger);
  stdout.write(`${JSON.stringify(ready)}\n`);
  if (options.lan && identity !== null)
    stderr.write(
      describeLanNextSteps({
        url: bridge.services.publicUrl,
        mqttsPort: new URL(String(ready['mqtts'])).port,
        certificateFingerprint: new X509Certificate(identity.certificate).fingerprint256,
        caFingerprint: identity.fingerprint,
      }),
    );
};
