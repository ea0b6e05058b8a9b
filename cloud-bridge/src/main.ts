import type { AddressInfo, Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Log } from '@lintel/service/log-function-type';
import { computeConnectionCapacity } from '@lintel/service/connections/connection-capacity';
import { ConnectionLimit, limitConnections } from '@lintel/service/connections/connection-limit';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { mountAdminApi } from './admin/mount-admin-api.ts';
import type { DeviceActionExecutor } from './actions/device-action-executor-interface.ts';
import { startAlertTask } from './alerts/alert-task.ts';
import { startAutomationTasks } from './automation/automation-tasks.ts';
import { BackupScheduler, type BackupSchedulerOptions } from './backup/backup-scheduler.ts';
import { DeviceConnectionService, type DeviceConnectionServiceOptions } from './devices/device-connection-service.ts';
import { serveRemoteTechnicianPage } from './devices/remote-technician/remote-technician-page.ts';
import { serveRemoteTechnicianRoutes } from './devices/remote-technician/remote-technician-routes.ts';
import type { DeviceTransport } from './devices/transport/device-transport-interface.ts';
import { startSharedStateTasks } from './shared-state/shared-state-tasks.ts';
import type { OperatorTerminal } from './guest/login-code-mailer.ts';
import { mountGuestPagesAndApi } from './guest/mount-guest-pages-and-api.ts';
import { serveAdminConsole } from './admin-console/serve-admin-console.ts';
import { FirstRunSetup } from './first-run/first-run-setup.ts';
import { serveFirstRunRoute } from './first-run/first-run-routes.ts';
import { createAddressMatcher } from './http/webhook-address-guard.ts';
import { closeHttpServer, createHttpServer } from './http/create-http-server.ts';
import { AccessTokenAuthenticator } from './accounts/access-token-authenticator.ts';
import { BridgeMetrics } from './metrics/bridge-metrics.ts';
import { listenForMetrics } from './http/serve-metrics.ts';
import { defaultRateLimit, type RateLimit, RateLimiter } from './http/rate-limit.ts';
import { RequestAdmission } from './http/request-admission.ts';
import { isAuthorityInUse } from './key-material/open-verified-certificate-authority.ts';
import { mountLoginAndOAuth } from './oauth/mount-login-and-oauth.ts';
import { startRetentionTask } from './retention/retention-task.ts';
import { mountPublicApi } from './routes/mount-public-api.ts';
import type { BridgeServices } from './bridge-services-interface.ts';
import { createBackgroundErrorLogger } from './storage/background-error-logger.ts';
import { type EventStreamingService, startEventStreaming } from './streaming/start-event-streaming.ts';
import { deleteDueEndedMembers } from './tasks/member-auto-deletion.ts';
import { startPostponedDeletions } from './retention/postponed-deletions.ts';
import { PeriodicTask } from './tasks/periodic-task.ts';
import { serveReleaseDownloads } from './updates/release-download-route.ts';
import type { ReleaseUploadLimits } from './updates/incoming-release-uploads.ts';
import { ReleaseStore } from './updates/release-store.ts';
import { SharedReleaseFiles } from './updates/shared-release-files.ts';
import { createWebhookDeliveryService } from './webhooks/webhook-delivery-service.ts';
import {
  type BridgeServicesOptions,
  toLogFunction,
  openBridgeServices,
  type OpenedBridgeServices,
} from './open-services.ts';

export interface BridgeOptions extends BridgeServicesOptions {
  /** Address of the same database without a connection pooler, for notifications. Default: `database`. */
  readonly directDatabase?: string | undefined;
  /** Shows login codes of guests if there is no mail server. Default: they are not shown. */
  readonly terminal?: OperatorTerminal | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly rateLimit?: RateLimit;
  /** Bearer token for `/metrics`; without it, the metrics are served by `listenForMetrics` only. */
  readonly metricsToken?: string | undefined;
  /** Replaces the connected controllers, for tests. */
  readonly actions?: DeviceActionExecutor;
  /** An external broker; default: a broker in this process. */
  readonly mqttUrl?: string | undefined;
  /** PEM certificate of the authority of that broker. */
  readonly mqttCa?: string | undefined;
  /** Replaces the broker. */
  readonly transport?: DeviceTransport | undefined;
  /** Limit how long controllers take to respond and clients to read an event stream. Default: real time. */
  readonly timers?: Timers;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number;
  /** How many events a controller may send. */
  readonly deviceEventRateLimit?: RateLimit;
  /** Interval for deleting expired members; null disables it. */
  readonly autoDeletionMs?: number | null;
  /** Addresses and ranges of reverse proxies whose `X-Forwarded-For` is trusted, such as `127.0.0.1`. */
  readonly trustedProxies?: readonly string[];
  /** Interval for checking which webhook deliveries are due. */
  readonly webhookSweepMs?: number;
  /** Interval for checking the tokens of open event streams. */
  readonly streamCheckMs?: number;
  /** Folder with public keys for verifying releases; default: `release-keys` in the data folder. */
  readonly releaseKeys?: string | undefined;
  /** Limits of releases that are not verified yet. */
  readonly uploadLimits?: ReleaseUploadLimits;
  /** Interval for checking schedules that trigger virtual devices. */
  readonly scheduleCheckMs?: number;
  /** Writes backups at an interval. Default: none. */
  readonly backups?: Omit<BackupSchedulerOptions, 'clock' | 'log'> | undefined;
  /** Interval for checking which virtual doors and blinds change their state. */
  readonly virtualGadgetCheckMs?: number;
  readonly alertCheckMs?: number | undefined;
  /** Interval for deleting what is kept no longer. */
  readonly retentionMs?: number | undefined;
}

export interface Bridge {
  readonly services: BridgeServices;
  readonly app: FastifyInstance;
  readonly devices: DeviceConnectionService;
  readonly firstRun: FirstRunSetup;
  readonly metrics: BridgeMetrics;
  /** Serves plain HTTP and returns the address. */
  listen(host: string, port: number): Promise<string>;
  /** Serves only `/metrics`, without a token. Returns the port. */
  listenForMetrics(host: string, port: number): Promise<number>;
  /** To be called for every other HTTP listener, before it listens. */
  limitConnections(server: Server): void;
  /** Controllers pin it when they are claimed. */
  setCaFingerprint(fingerprint: string): void;
  close(): Promise<void>;
}

const AUTO_DELETION_MS = 5000;

const autoDeletionOf = (
  services: BridgeServices,
  { log }: FastifyInstance,
  intervalMs: number | null = AUTO_DELETION_MS,
) => {
  const onError = createBackgroundErrorLogger(log, 'Deleting expired members failed');
  const task = new PeriodicTask(() => deleteDueEndedMembers(services, onError), intervalMs ?? 0, onError);
  if (intervalMs !== null) task.start();
  return task;
};

const WEBHOOK_SWEEP_MS = 500;

const webhookDeliveryOf = (
  services: OpenedBridgeServices,
  { log }: FastifyInstance,
  options: BridgeOptions,
  metrics: BridgeMetrics,
) =>
  createWebhookDeliveryService(services, services.outbox, {
    sweepMs: options.webhookSweepMs ?? WEBHOOK_SWEEP_MS,
    random: Math.random,
    onAttempt: outcome => metrics.countDelivery(outcome),
    onError: createBackgroundErrorLogger(log, 'Webhook delivery failed'),
  });

const observeEventLag = ({ writer }: BridgeServices, metrics: BridgeMetrics): void =>
  writer.onCommitted(({ events }) => {
    // Only events of controllers tell whether their time is trusted.
    for (const { time_trusted, created_at, recorded_at } of events)
      if (time_trusted === 1) metrics.observeEventLag(recorded_at / 1e6 - created_at / 1e3);
  });

const FEED_POLL_MS = 500;
const STREAM_TICK_MS = 5000;
const noLog: Log = () => undefined;

const backupScheduleOf = ({ clock }: BridgeServices, { backups, logger }: BridgeOptions): BackupScheduler | null =>
  backups === undefined ? null : new BackupScheduler({ ...backups, clock, log: toLogFunction(logger) ?? noLog });

/** Registers in `opened` how to close each part, so that the caller can close a bridge that could not start. */
const assembleBridge = async (options: BridgeOptions, opened: AsyncDisposableStack): Promise<Bridge> => {
  const services = await openBridgeServices(options);
  opened.defer(() => services.close());
  let streaming: EventStreamingService | null = null;
  opened.defer(() => streaming?.close());
  const stops: Array<() => Promise<unknown>> = [];
  opened.defer(async () => {
    // In parallel, so that a hanging webhook receiver and a slow request do not add up their timeouts.
    await Promise.all(stops.map(stop => stop()));
  });
  const { storage } = services;
  await storage.monitor.probe();
  if (await isAuthorityInUse(storage.writer)) await services.authority();
  const authenticator = new AccessTokenAuthenticator(services.storage, services.clock);
  const rateLimiter = new RateLimiter(options.rateLimit ?? defaultRateLimit, () => performance.now());
  const admission = new RequestAdmission({ monotonic: () => performance.now(), nextTurn: setImmediate });
  const authentication = { services, authenticator, rateLimiter, admission };
  const releases = new ReleaseStore(options.dataDir, options.releaseKeys, {
    clock: services.clock,
    shared: storage.engine === 'postgres' ? new SharedReleaseFiles(storage, services.clock) : null,
    ...(options.uploadLimits === undefined ? {} : { limits: options.uploadLimits }),
  });
  await releases.shareStoredReleases();
  const backups = backupScheduleOf(services, options);
  const { dataDir } = options;
  const metrics = new BridgeMetrics({ storage, commits: services.writer, clock: services.clock, backups, dataDir });
  observeEventLag(services, metrics);
  const { trustedProxies = [] } = options;
  const httpConnections = new ConnectionLimit(computeConnectionCapacity().http, () => performance.now());
  // Reverse proxies connect for many clients, so their connections do not count for one network.
  const isShared = createAddressMatcher(trustedProxies);
  const limit = (server: Server): void =>
    limitConnections(server, httpConnections, { isShared, log: toLogFunction(options.logger) });
  const app = createHttpServer({
    storage,
    metrics,
    backups,
    metricsToken: options.metricsToken ?? null,
    logger: options.logger,
    trustedProxies,
    limitConnections: limit,
    publicUrl: () => services.publicUrl,
  });
  stops.push(() => closeHttpServer(app));
  const onRefusedLogin = (reason: string): void => metrics.countRefusedLogin(reason);
  const onUplinkMessage: DeviceConnectionServiceOptions['onUplinkMessage'] = (kind, result) =>
    metrics.countUplinkMessage(kind, result);
  const devices = await DeviceConnectionService.open(app, services, { ...options, onRefusedLogin, onUplinkMessage });
  stops.push(() => devices.close());
  const actions = options.actions ?? devices.actions;
  mountPublicApi(app, authentication, actions);
  mountLoginAndOAuth(app, authentication);
  mountAdminApi(app, authentication, { releases, actions, technicians: devices.technicians });
  mountGuestPagesAndApi(app, services, actions, { mail: options.mail ?? null, terminal: options.terminal ?? null });
  serveReleaseDownloads(app, services, releases);
  serveRemoteTechnicianRoutes(app, authentication, devices.technicians);
  serveRemoteTechnicianPage(app, services);
  const firstRun = new FirstRunSetup(services);
  serveFirstRunRoute(app, services, firstRun);
  serveAdminConsole(app, services, firstRun);
  const webhooks = webhookDeliveryOf(services, app, options, metrics);
  stops.push(() => webhooks.close());
  await webhooks.start();
  streaming = startEventStreaming(app, {
    ...authentication,
    postgresUrl: options.directDatabase ?? options.database ?? null,
    pollMs: FEED_POLL_MS,
    onRemoteCommit: organizationId => webhooks.wakeOrganization(organizationId),
    tickMs: options.streamCheckMs ?? STREAM_TICK_MS,
    timers: options.timers ?? processTimers,
    onError: createBackgroundErrorLogger(app.log, 'Event streaming failed'),
  });
  const tasks = [
    autoDeletionOf(services, app, options.autoDeletionMs),
    startSharedStateTasks({ services, releases, rateLimiter, log: app.log }),
    startAutomationTasks(services, app.log, options),
    startAlertTask(services, app.log, options.alertCheckMs),
    startPostponedDeletions(services, app.log),
    startRetentionTask(services, app.log, metrics, options.retentionMs),
  ];
  backups?.start();
  stops.push(...tasks.map(task => () => task.stop()), async () => backups?.stop());
  return {
    services,
    app,
    devices,
    firstRun,
    metrics,
    limitConnections: limit,
    setCaFingerprint: fingerprint => services.setCaFingerprint(fingerprint),
    listenForMetrics: async (host, port) => {
      const server = await listenForMetrics(metrics, host, port, limit);
      stops.push(async () => {
        server.close();
        server.closeAllConnections();
      });
      return (server.address() as AddressInfo).port;
    },
    listen: async (host, port) => {
      const address = await app.listen({ host, port });
      services.setListenAddress(address);
      return address;
    },
    close: () => opened.disposeAsync(),
  };
};

export const createBridge = async (options: BridgeOptions): Promise<Bridge> => {
  const opened = new AsyncDisposableStack();
  try {
    return await assembleBridge(options, opened);
  } catch (error) {
    // The first error tells why the bridge cannot start.
    await opened.disposeAsync().catch(() => undefined);
    throw error;
  }
};
