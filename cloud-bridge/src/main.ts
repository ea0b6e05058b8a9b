import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdGenerator } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { requirePrivateFolder } from '@lintel/service/data-folder/data-folder';
import type { Log } from '@lintel/service/log';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { mountAdminApi } from './admin/mount-admin-api.ts';
import type { DeviceActionExecutor } from './actions/device-action-executor.ts';
import { startAlerts } from './alerts/alert-task.ts';
import { startAutomation } from './automation/automation-tasks.ts';
import { BackupSchedule, type BackupScheduleOptions } from './backup/backup-schedule.ts';
import { countActivity } from './derived-data/activity-counts.ts';
import { updateMemberSearch } from './derived-data/member-search.ts';
import { DeviceService, type DeviceServiceOptions } from './devices/device-service.ts';
import { serveRemoteTechnicianPage } from './devices/remote-technician/remote-technician-page.ts';
import { serveRemoteTechnician } from './devices/remote-technician/remote-technician-routes.ts';
import type { DeviceTransport } from './devices/transport/device-transport.ts';
import { KEY_POLL_MS, startSharedStateTasks } from './shared-state/shared-state-tasks.ts';
import { mountGuestAccess } from './guest/mount-guest-access.ts';
import { serveAdminConsole } from './admin-console/serve-admin-console.ts';
import { FirstRun } from './first-run/first-run.ts';
import { serveFirstRun } from './first-run/first-run-routes.ts';
import { AddressGuard } from './http/address-guard.ts';
import { closeServer, createServer } from './http/server.ts';
import { AccessTokenAuthenticator } from './http/access-token-authenticator.ts';
import { BridgeMetrics } from './metrics/bridge-metrics.ts';
import { listenForMetrics } from './http/serve-metrics.ts';
import { defaultRateLimit, type RateLimit, RateLimiter } from './http/rate-limit.ts';
import { AccountMailer } from './mail/account-mailer.ts';
import type { MailOptions } from './mail/mail-sender.ts';
import { isAuthorityInUse, openVerifiedAuthority } from './key-material/open-authority.ts';
import { rejectEmptiedDatabase } from './key-material/reject-emptied-database.ts';
import { openLocalKeys, openSharedKeys } from './key-material/open-shared-keys.ts';
import { SharedKeyFiles } from './key-material/shared-key-files.ts';
import type { KeyResetOptions } from './key-material/reset-keys.ts';
import { mountOAuth } from './oauth/mount-oauth.ts';
import { ResourceReader } from './queries/resource-reader.ts';
import { refreshProducts } from './resources/products.ts';
import { defaultRetention, type RetentionDays } from './storage/retention-policy.ts';
import { startRetention } from './retention/retention-task.ts';
import { mountPublicApi } from './routes/mount-public-api.ts';
import type { BridgeServices } from './services.ts';
import { createErrorLog } from './storage/error-log.ts';
import { openStorage, type Storage } from './storage/open-storage.ts';
import { startEventStreaming } from './streaming/event-streaming.ts';
import { deleteExpiredMembers } from './tasks/member-auto-deletion.ts';
import { PeriodicTask } from './tasks/periodic-task.ts';
import { serveReleaseDownloads } from './updates/release-download-route.ts';
import type { CertificateAuthority } from './tls/certificate-authority.ts';
import type { UploadLimits } from './updates/incoming-uploads.ts';
import { ReleaseStore } from './updates/release-store.ts';
import { SharedFiles } from './updates/shared-files.ts';
import { WebhookOutbox } from './webhooks/outbox.ts';
import { createWebhookDeliveryService } from './webhooks/webhook-delivery-service.ts';
import { OrganizationWriter } from './transactions/organization-writer.ts';

export interface BridgeOptions {
  readonly dataDir: string;
  /** `postgres://…`; default: SQLite in the data folder. */
  readonly database?: string | undefined;
  /** Address of the same database without a connection pooler, for notifications. Default: `database`. */
  readonly directDatabase?: string | undefined;
  /** Seals the keys in the database, which several bridges share. Default: keys are only in the data folder. */
  readonly clusterSecret?: string | undefined;
  /** Accepts an empty database beside existing keys. Default: refuses it, because the database may be lost. */
  readonly isNewDatabase?: boolean | undefined;
  /** Default: the address that the bridge listens on. */
  readonly publicUrl?: string | undefined;
  /** Controllers pin it when they are claimed: the fingerprint of the bridge's own authority or of its HTTPS certificate. */
  readonly caFingerprint?: string | undefined;
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
  /** Time limit for a controller to execute an action. */
  readonly actionDeadlineMs?: number;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number;
  readonly clock?: () => Instant;
  readonly onQuery?: (sql: string) => void;
  /** Interval for deleting expired members; null disables it. */
  readonly autoDeletionMs?: number | null;
  /** Private targets that webhooks may reach: address ranges such as `10.0.0.0/8`, or `10.0.0.7:8080`. */
  readonly webhookAllow?: readonly string[];
  /** Addresses and ranges of reverse proxies whose `X-Forwarded-For` is trusted, such as `127.0.0.1`. */
  readonly trustedProxies?: readonly string[];
  /** Interval for checking which webhook deliveries are due. */
  readonly webhookSweepMs?: number;
  /** Mail server for login codes of guests, invitations and password resets; default: codes are logged. */
  readonly mail?: MailOptions | undefined;
  /** Interval for checking the tokens of open event streams. */
  readonly streamCheckMs?: number;
  /** Folder with public keys for verifying releases; default: `release-keys` in the data folder. */
  readonly releaseKeys?: string | undefined;
  /** Limits of releases that are not verified yet. */
  readonly uploadLimits?: UploadLimits;
  /** Interval for checking schedules that trigger virtual devices. */
  readonly scheduleCheckMs?: number;
  /** Writes backups at an interval. Default: none. */
  readonly backups?: Omit<BackupScheduleOptions, 'clock' | 'log'> | undefined;
  /** Interval for checking which virtual doors and blinds change their state. */
  readonly virtualGadgetCheckMs?: number;
  readonly alertCheckMs?: number | undefined;
  /** How long events and delivery logs are kept. Default: events without end, delivery logs for 30 days. */
  readonly retention?: RetentionDays | undefined;
  /** Interval for deleting what is kept no longer. */
  readonly retentionMs?: number | undefined;
}

export interface Bridge {
  readonly services: BridgeServices;
  readonly app: FastifyInstance;
  readonly devices: DeviceService;
  readonly firstRun: FirstRun;
  readonly metrics: BridgeMetrics;
  /** Serves plain HTTP and returns the address. */
  listen(host: string, port: number): Promise<string>;
  /** Serves only `/metrics`, without a token. Returns the port. */
  listenForMetrics(host: string, port: number): Promise<number>;
  /** Controllers pin it when they are claimed. */
  setCaFingerprint(fingerprint: string): void;
  close(): Promise<void>;
}

/** Until all bridges have taken over published keys, with a margin for a slow database. */
const KEY_PROPAGATION_MS = 3 * KEY_POLL_MS;

const wallClock = (): Instant => instant(Date.now());

interface OpenBridgeServices extends BridgeServices {
  readonly outbox: WebhookOutbox;
  /** Takes over key files that another bridge or a command has published. */
  pullKeys(): Promise<void>;
  /** Uses the address as the public URL if none was configured. */
  setListenAddress(address: string): void;
  setCaFingerprint(fingerprint: string): void;
  close(): Promise<void>;
}

const closeOnError = async <T>(storage: Storage, opening: Promise<T>): Promise<T> => {
  try {
    return await opening;
  } catch (error) {
    await storage.close();
    throw error;
  }
};

const logOf = (logger: BridgeOptions['logger'] | undefined): Log | undefined =>
  logger ? (level, message, facts) => logger[level](facts ?? {}, message) : undefined;

/** Opens the database, the master keys and the writer. Also used by commands that run while the bridge is running. */
export const openBridgeServices = async (
  options: Omit<BridgeOptions, 'logger' | 'rateLimit'> & Partial<Pick<BridgeOptions, 'logger'>>,
): Promise<OpenBridgeServices> => {
  const clock = options.clock ?? wallClock;
  requirePrivateFolder(options.dataDir);
  if (options.database === undefined) rejectEmptiedDatabase(options.dataDir);
  const storage = await openStorage({
    url: options.database,
    dataDir: options.dataDir,
    now: clock(),
    log: logOf(options.logger),
    ...(options.onQuery === undefined ? {} : { onQuery: options.onQuery }),
  });
  const { dataDir, clusterSecret } = options;
  const keyOptions = { now: clock(), isNewDatabase: options.isNewDatabase ?? false };
  const sharedKeys = clusterSecret === undefined ? null : new SharedKeyFiles(dataDir, clusterSecret);
  const masterKeys = await closeOnError(
    storage,
    sharedKeys === null
      ? openLocalKeys(storage.writer, dataDir, keyOptions)
      : openSharedKeys(storage.writer, sharedKeys, dataDir, keyOptions),
  );
  await refreshProducts(storage.writer, loadProfiles());
  const newId = createIdGenerator(clock, randomBytes);
  const writer = new OrganizationWriter({ storage, masterKeys, clock, newId });
  const outbox = new WebhookOutbox({ storage, clock, newId });
  writer.onRecorded(async (db, recorded) => {
    await outbox.write(db, recorded);
    await updateMemberSearch(db, storage.engine, recorded);
    await countActivity(db, storage.engine, recorded);
  });
  let caFingerprint = options.caFingerprint ?? null;
  let authority: Promise<CertificateAuthority> | undefined;
  let publicUrl = (options.publicUrl ?? 'http://localhost').replace(/\/+$/, '');
  return {
    storage,
    masterKeys,
    clock,
    newId,
    reader: new ResourceReader(storage.rows),
    writer,
    outbox,
    get publicUrl() {
      return publicUrl;
    },
    webhookAddresses: new AddressGuard(options.webhookAllow ?? []),
    get caFingerprint() {
      return caFingerprint;
    },
    authority: () => {
      if (authority === undefined) {
        authority = openVerifiedAuthority(storage.writer, dataDir, clock());
        authority.catch(() => {
          authority = undefined;
        });
      }
      return authority;
    },
    publishKeys: async () => {
      if (sharedKeys === null) return;
      await sharedKeys.push(storage.writer, clock());
      await delay(KEY_PROPAGATION_MS);
    },
    pullKeys: async () => sharedKeys?.pull(storage.writer),
    accountMailer: new AccountMailer(options.mail ?? null, options.logger || null),
    retention: options.retention ?? defaultRetention,
    setListenAddress: address => {
      if (options.publicUrl === undefined) publicUrl = address;
    },
    setCaFingerprint: fingerprint => {
      caFingerprint = fingerprint;
    },
    close: () => storage.close(),
  };
};

/** For `lintel keys reset`, when the key files do not belong to the database. */
export const openStorageForKeyReset = async ({
  dataDir,
  database,
  clusterSecret,
}: Pick<BridgeOptions, 'dataDir' | 'database' | 'clusterSecret'>): Promise<KeyResetOptions> => {
  requirePrivateFolder(dataDir);
  return {
    storage: await openStorage({ url: database, dataDir, now: wallClock() }),
    dataDir,
    sharedKeys: clusterSecret === undefined ? null : new SharedKeyFiles(dataDir, clusterSecret),
    clock: wallClock,
    newId: createIdGenerator(wallClock, randomBytes),
  };
};

const AUTO_DELETION_MS = 5000;

const autoDeletionOf = (
  services: BridgeServices,
  { log }: FastifyInstance,
  intervalMs: number | null = AUTO_DELETION_MS,
) => {
  const onError = createErrorLog(log, 'Deleting expired members failed');
  const task = new PeriodicTask(() => deleteExpiredMembers(services, onError), intervalMs ?? 0, onError);
  if (intervalMs !== null) task.start();
  return task;
};

const WEBHOOK_SWEEP_MS = 500;

const webhookDeliveryOf = (
  services: OpenBridgeServices,
  { log }: FastifyInstance,
  options: BridgeOptions,
  metrics: BridgeMetrics,
) =>
  createWebhookDeliveryService(services, services.outbox, {
    sweepMs: options.webhookSweepMs ?? WEBHOOK_SWEEP_MS,
    random: Math.random,
    onAttempt: outcome => metrics.countDelivery(outcome),
    onError: createErrorLog(log, 'Webhook delivery failed'),
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

const backupScheduleOf = ({ clock }: BridgeServices, { backups, logger }: BridgeOptions): BackupSchedule | null =>
  backups === undefined ? null : new BackupSchedule({ ...backups, clock, log: logOf(logger) ?? noLog });

export const createBridge = async (options: BridgeOptions): Promise<Bridge> => {
  const services = await openBridgeServices(options);
  const { storage } = services;
  if (await closeOnError(storage, isAuthorityInUse(storage.writer))) await closeOnError(storage, services.authority());
  const authenticator = new AccessTokenAuthenticator(services.storage, services.clock);
  const rateLimiter = new RateLimiter(options.rateLimit ?? defaultRateLimit, () => performance.now());
  const authentication = { services, authenticator, rateLimiter };
  const releases = new ReleaseStore(options.dataDir, options.releaseKeys, {
    clock: services.clock,
    shared: storage.engine === 'postgres' ? new SharedFiles(storage, services.clock) : null,
    ...(options.uploadLimits === undefined ? {} : { limits: options.uploadLimits }),
  });
  await closeOnError(storage, releases.shareStoredReleases());
  const backups = backupScheduleOf(services, options);
  const { dataDir } = options;
  const metrics = new BridgeMetrics({ storage, commits: services.writer, clock: services.clock, backups, dataDir });
  observeEventLag(services, metrics);
  const app = createServer({
    storage,
    metrics,
    backups,
    metricsToken: options.metricsToken ?? null,
    logger: options.logger,
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: () => services.publicUrl,
  });
  const onRefusedLogin = (reason: string): void => metrics.countRefusedLogin(reason);
  const onUplinkMessage: DeviceServiceOptions['onUplinkMessage'] = (kind, result) =>
    metrics.countUplinkMessage(kind, result);
  const devices = await DeviceService.open(app, services, { ...options, onRefusedLogin, onUplinkMessage });
  const actions = options.actions ?? devices.actions;
  mountPublicApi(app, authentication, actions);
  mountOAuth(app, authentication);
  mountAdminApi(app, authentication, { releases, actions, technicians: devices.technicians });
  await mountGuestAccess(app, services, actions, options.mail ?? null);
  serveReleaseDownloads(app, services, releases);
  serveRemoteTechnician(app, authentication, devices.technicians);
  await serveRemoteTechnicianPage(app, services);
  const firstRun = new FirstRun(services);
  serveFirstRun(app, services, firstRun);
  await serveAdminConsole(app, services, firstRun);
  const autoDeletion = autoDeletionOf(services, app, options.autoDeletionMs);
  const sharedState = startSharedStateTasks({ services, releases, rateLimiter, log: app.log });
  const webhooks = webhookDeliveryOf(services, app, options, metrics);
  await webhooks.start();
  const streaming = startEventStreaming(app, {
    ...authentication,
    postgresUrl: options.directDatabase ?? options.database ?? null,
    pollMs: FEED_POLL_MS,
    onRemoteCommit: organizationId => webhooks.wakeOrganization(organizationId),
    tickMs: options.streamCheckMs ?? STREAM_TICK_MS,
    onError: createErrorLog(app.log, 'Event streaming failed'),
  });
  const automation = startAutomation(services, app.log, options);
  backups?.start();
  const alerts = startAlerts(services, app.log, options.alertCheckMs);
  const retention = startRetention(services, app.log, metrics, options.retentionMs);
  let metricsServer: Server | null = null;
  return {
    services,
    app,
    devices,
    firstRun,
    metrics,
    setCaFingerprint: fingerprint => services.setCaFingerprint(fingerprint),
    listenForMetrics: async (host, port) => {
      metricsServer = await listenForMetrics(metrics, host, port);
      return (metricsServer.address() as AddressInfo).port;
    },
    listen: async (host, port) => {
      const address = await app.listen({ host, port });
      services.setListenAddress(address);
      return address;
    },
    close: async () => {
      // In parallel, so that a hanging webhook receiver and a slow request do not add up their timeouts.
      await Promise.all([
        closeServer(app),
        autoDeletion.stop(),
        backups?.stop(),
        sharedState.stop(),
        automation.stop(),
        alerts.stop(),
        retention.stop(),
        webhooks.close(),
        devices.close(),
      ]);
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      await streaming.close();
      await services.close();
    },
  };
};
