import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connectionCutter } from '@lintel/broker/connection-cutter';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { FastifyInstance } from 'fastify';
import { firmwareVersion } from '../firmware-version.ts';
import type { RunningController } from '../main.ts';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { type PowerSupply, unknownPower } from '@lintel/drivers/ports/power-supply';
import { advertise } from './network/advertise.ts';
import { buildTechnicianApp } from './app.ts';
import { ClockHistory } from './clock-history.ts';
import { limitConnections } from './network/connection-limit.ts';
import { consoleNotice } from './login/console-notice.ts';
import { LoginService } from './login/login-service.ts';
import { remoteRequestHandler } from './remote/remote-requests.ts';
import { RemoteTechnicianSessions } from './login/remote-sessions.ts';
import { LoginThrottle } from './login/login-throttle.ts';
import { hostNames, openPageCertificate } from '@lintel/crypto/tls/page-certificate';
import type { ProfileSelection } from './profile-choice.ts';
import { defaultPages } from './routes/pages.ts';
import { Sessions } from './login/sessions.ts';
import { SetupCode } from './login/setup-code.ts';
import type { TechnicianParts } from './technician-parts.ts';
import { TestLog } from './test-log.ts';

export interface TechnicianOptions {
  readonly dataDir: string;
  readonly device: Pick<
    RunningController,
    'controller' | 'time' | 'upstream' | 'claiming' | 'membership' | 'digestKeyKeptIn'
  >;
  readonly productId: string;
  readonly log: Log;
  readonly host?: string;
  /** 0 for any; one that is taken is replaced by any. */
  readonly port?: number;
  readonly profile?: Profile;
  readonly power?: PowerSupply;
  /** The folder of technician.html, default that of the checkout. */
  readonly pages?: string | undefined;
  readonly profiles?: ProfileSelection;
  readonly logTail?: TechnicianParts['logTail'];
  /** Off in tests: it speaks to the whole network. */
  readonly advertises?: boolean;
  /** Where the setup code is shown while nobody has claimed the controller; never the log, which travels. */
  readonly console?: (line: string) => void;
  readonly clock?: Pick<MonotonicClock, 'now'>;
}

export interface RunningTechnician {
  /** Where a browser finds it. */
  readonly url: string;
  readonly fingerprint: string;
  /** What it is called on the network: `lintel-7f3a`. */
  readonly name: string;
  /** Where the board has no line for the button. */
  setupButtonPressed(): void;
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8443;
const LOOK_MS = 60_000;

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

const lanAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap(known => known ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';

const addressOf = (host: string, port: number): string => {
  const shown = isWildcard(host) ? lanAddress() : host;
  return `https://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
};

const isTaken = (error: unknown): boolean =>
  ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');

const listen = async (app: FastifyInstance, host: string, port: number, log: Log): Promise<number> => {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (port === 0 || !isTaken(error)) throw error;
    log('warn', `port ${port} is taken: the technician's page takes another`);
    await app.listen({ host, port: 0 });
  }
  return (app.server.address() as AddressInfo).port;
};

/** Serves the technician's API over HTTPS on the network of the site. */
export const startTechnician = async (options: TechnicianOptions): Promise<RunningTechnician> => {
  const { dataDir, productId, log, host = '0.0.0.0' } = options;
  const { controller, time, upstream, claiming, membership: owner } = options.device;
  const { technician } = controller;
  const clock = options.clock ?? technician.clock;
  const folder = join(dataDir, 'technician');
  const certificate = await openPageCertificate(folder);
  const code = SetupCode.open(folder, randomBytes);
  const throttle = new LoginThrottle(clock, controller.state);
  const sessions = new Sessions(clock);
  const login = new LoginService({ code, throttle, sessions, owner, clock, wall: time, log });
  const clockHistory = new ClockHistory(clock, time);
  const parts: TechnicianParts = {
    controller,
    wall: time,
    dataDir,
    productId,
    profile: options.profile ?? null,
    firmware: firmwareVersion(),
    power: options.power ?? unknownPower,
    digestKeyKeptIn: options.device.digestKeyKeptIn,
    certificate,
    hostNames: new Set(hostNames(certificate.name).map(name => name.toLowerCase())),
    owner,
    upstream,
    claiming,
    login,
    sessions,
    remoteSessions: new RemoteTechnicianSessions(),
    tests: new TestLog({ state: controller.state, wall: time, organization: () => owner()?.organization_id ?? null }),
    profiles: options.profiles ?? null,
    pagesDir: options.pages ?? defaultPages(),
    throttle,
    clockHistory,
    logTail: () => (options.logTail?.() ?? []).map(line => code.hiddenIn(line)),
    log,
  };
  const pressed = (): void => {
    login.buttonPressed();
    log('info', 'the setup button was pressed: the setup code opens the technician page for 15 minutes');
  };
  const removeButtonListener = technician.onSetupButton(pressed);

  const app = buildTechnicianApp(parts, { https: { key: certificate.key, cert: certificate.certificate }, log });
  limitConnections(app.server, () => technician.clock.now());
  const cut = connectionCutter(app.server);
  const port = await listen(app, host, options.port ?? DEFAULT_PORT, log);
  const url = addressOf(host, port);
  const byName = `https://${certificate.name}.local:${port}`;
  const { name, fingerprint } = certificate;
  technician.page = { name, url: byName, address: url, fingerprint, answer: remoteRequestHandler(app, parts) };
  const look = setInterval(() => clockHistory.look(), LOOK_MS);
  look.unref();
  if (owner() === null) (options.console ?? consoleNotice())(`Technician page ${url}, setup code ${code.printed}`);
  const txt = () => ({ product: productId, claimed: String(owner() !== null) });
  const silence =
    options.advertises === true ? advertise({ name: certificate.name, port, txt }, log) : async () => undefined;
  return {
    url,
    fingerprint: certificate.fingerprint,
    name: certificate.name,
    setupButtonPressed: pressed,
    stop: async () => {
      technician.page = null;
      removeButtonListener();
      clearInterval(look);
      const closing = app.close();
      cut();
      await Promise.all([closing, silence()]);
    },
  };
};
