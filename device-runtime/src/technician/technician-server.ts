import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createConnectionCloser } from '@lintel/broker/connection-closer';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { getErrorCode } from '@lintel/service/error-code';
import type { FastifyInstance } from 'fastify';
import { readFirmwareVersion } from '../firmware-version.ts';
import type { ControllerInstance } from '../main.ts';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { type PowerStatusReader, readUnknownPowerStatus } from '@lintel/drivers/interfaces';
import { PcscProcessService, PcscReaderAssignments } from '@lintel/drivers/pcsc';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { advertiseHostNameByMdns } from './network/advertise-mdns.ts';
import { createTechnicianApiServer } from './technician-fastify-app.ts';
import { ClockHistory } from './clock-history.ts';
import { ConnectionLimit, type ConnectionLimits, limitConnections } from '@lintel/service/connections/connection-limit';
import { createTimerErrorLogger, repeatEvery } from '@lintel/service/timing/repeating-timer';
import { createSetupCodeNoticeWriter } from './login/setup-code-console-notice.ts';
import { LoginChallenges } from './login/login-challenges.ts';
import { TechnicianLoginService } from './login/technician-login-service.ts';
import { createRemoteRouteInvoker } from './remote/remote-route-invoker.ts';
import { RemoteTechnicianRequestTokens } from './login/remote-request-tokens.ts';
import { SetupCodeThrottle } from './login/setup-code-throttle.ts';
import {
  listTechnicianPageHostNames,
  loadOrCreateTechnicianPageCertificate,
} from '@lintel/crypto/tls/technician-page-certificate';
import type { HardwareProfileSwitcher } from './resolve-hardware-profile-choice.ts';
import { findDefaultPagesFolder } from './routes/technician-page.ts';
import { identifyOwner, TechnicianSessionRegistry } from './login/session-registry.ts';
import { SetupCode } from './login/setup-code.ts';
import type { TechnicianApiDependencies } from './technician-api-dependencies.ts';
import { HardwareTestLog } from './hardware-test-log.ts';

export interface TechnicianServerOptions {
  readonly dataDir: string;
  readonly device: Pick<
    ControllerInstance,
    'controller' | 'time' | 'upstream' | 'claimService' | 'enrollment' | 'digestKeyStorage'
  >;
  readonly productId: string;
  readonly log: Log;
  readonly host?: string;
  /** 0 for a free port, which is also used when the port is taken. */
  readonly port?: number;
  readonly profile?: Profile;
  readonly power?: PowerStatusReader;
  /** The folder of technician.html, default that of the checkout. */
  readonly pages?: string | undefined;
  readonly profiles?: HardwareProfileSwitcher;
  /** Default: those in the data folder. */
  readonly pcscReaders?: PcscReaderAssignments;
  /** Default: the service of this machine, in a process of its own. */
  readonly createPcscService?: TechnicianApiDependencies['createPcscService'];
  /** Default: none. */
  readonly replaceableReaders?: TechnicianApiDependencies['replaceableReaders'];
  readonly logTail?: TechnicianApiDependencies['logTail'];
  /** Announces the page by mDNS. Off in tests. */
  readonly advertises?: boolean;
  /** Shows the setup code before the claim. Never the log, which may be shared. */
  readonly console?: (line: string) => void;
  readonly clock?: Pick<MonotonicClock, 'now'>;
}

export interface TechnicianServer {
  /** URL for browsers. */
  readonly url: string;
  readonly fingerprint: string;
  /** Name on the network: `lintel-7f3a`. */
  readonly name: string;
  /** For boards without a button line. */
  pressSetupButton(): void;
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8443;
const CLOCK_CHECK_INTERVAL_MS = 60_000;
/** TLS handshakes take CPU time from the door. */
const CONNECTION_LIMITS: ConnectionLimits = {
  open: 64,
  openPerNetwork: 16,
  rate: { all: { per_second: 60, burst: 240 }, perNetwork: { per_second: 20, burst: 80 } },
};

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

const lanAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap(known => known ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';

const addressOf = (host: string, port: number): string => {
  const shown = isWildcard(host) ? lanAddress() : host;
  return `https://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
};

const isTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(getErrorCode(error));

const listen = async (app: FastifyInstance, host: string, port: number, log: Log): Promise<number> => {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (port === 0 || !isTaken(error)) throw error;
    log('warn', `Port ${port} is in use. The technician page uses another port`);
    await app.listen({ host, port: 0 });
  }
  return (app.server.address() as AddressInfo).port;
};

/** Serves the technician page and its API over HTTPS on the local network. */
export const startTechnicianServer = async (options: TechnicianServerOptions): Promise<TechnicianServer> => {
  const { dataDir, productId, log, host = '0.0.0.0' } = options;
  const { controller, time, upstream, claimService, enrollment: owner } = options.device;
  const { technician } = controller;
  const clock = options.clock ?? technician.clock;
  const folder = join(dataDir, 'technician');
  const certificate = await loadOrCreateTechnicianPageCertificate(folder);
  const code = SetupCode.open(folder, randomBytes);
  const throttle = new SetupCodeThrottle(clock, controller.state);
  const sessions = new TechnicianSessionRegistry(clock, () => identifyOwner(owner()));
  const login = new TechnicianLoginService({
    code,
    throttle,
    challenges: new LoginChallenges(clock),
    fingerprint: certificate.fingerprint,
    sessions,
    owner,
    clock,
    wall: time,
    log,
  });
  claimService?.onClaimed(() => login.onClaimed());
  const clockHistory = new ClockHistory(clock, time);
  const parts: TechnicianApiDependencies = {
    pcscReaders: options.pcscReaders ?? new PcscReaderAssignments(dataDir),
    createPcscService: options.createPcscService ?? (() => new PcscProcessService(new ProcessClock())),
    replaceableReaders: options.replaceableReaders ?? (() => []),
    controller,
    wall: time,
    dataDir,
    productId,
    profile: options.profile ?? null,
    firmware: readFirmwareVersion(),
    power: options.power ?? readUnknownPowerStatus,
    digestKeyStorage: options.device.digestKeyStorage,
    certificate,
    hostNames: new Set(listTechnicianPageHostNames(certificate.name).map(name => name.toLowerCase())),
    owner,
    upstream,
    claimService,
    login,
    sessions,
    remoteSessions: new RemoteTechnicianRequestTokens(),
    testLog: new HardwareTestLog({
      state: controller.state,
      wall: time,
      organization: () => owner()?.organization_id ?? null,
      productId: options.productId,
    }),
    profiles: options.profiles ?? null,
    pagesDir: options.pages ?? findDefaultPagesFolder(),
    throttle,
    clockHistory,
    logTail: () => (options.logTail?.() ?? []).map(line => code.redact(line)),
    log,
  };
  const pressed = (): void => {
    login.onSetupButton();
    log('info', 'Setup button pressed. The setup code is valid for 15 minutes');
  };
  const removeButtonListener = technician.onSetupButton(pressed);

  const app = createTechnicianApiServer(parts, { https: { key: certificate.key, cert: certificate.certificate }, log });
  limitConnections(app.server, new ConnectionLimit(CONNECTION_LIMITS, () => technician.clock.now()), { log });
  const closeConnections = createConnectionCloser(app.server);
  const port = await listen(app, host, options.port ?? DEFAULT_PORT, log);
  const url = addressOf(host, port);
  const byName = `https://${certificate.name}.local:${port}`;
  const { name, fingerprint } = certificate;
  technician.page = {
    name,
    url: byName,
    address: url,
    fingerprint,
    handleRequest: createRemoteRouteInvoker(app, parts),
  };
  const stopClockCheck = repeatEvery(CLOCK_CHECK_INTERVAL_MS, () => clockHistory.update(), createTimerErrorLogger(log));
  if (owner() === null)
    (options.console ?? createSetupCodeNoticeWriter())(`Technician page ${url}, setup code ${code.printed}`);
  const txt = () => ({ product: productId, claimed: String(owner() !== null || controller.wasClaimed) });
  const stopAdvertising =
    options.advertises === true
      ? advertiseHostNameByMdns({ name: certificate.name, port, txt }, log)
      : async () => undefined;
  return {
    url,
    fingerprint: certificate.fingerprint,
    name: certificate.name,
    pressSetupButton: pressed,
    stop: async () => {
      technician.page = null;
      removeButtonListener();
      stopClockCheck();
      const closing = app.close();
      closeConnections();
      await Promise.all([closing, stopAdvertising()]);
    },
  };
};
