import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createIdGenerator } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { mountAdminApi } from './admin/mount-admin-api.ts';
import type { DeviceActionExecutor } from './actions/device-action-executor.ts';
import { runScheduleTriggers } from './automation/schedule-triggers.ts';
import { VirtualGadgetTriggers } from './automation/virtual-gadget-triggers.ts';
import { DeviceService } from './devices/device-service.ts';
import { serveRemoteTechnicianPage } from './devices/remote-technician/remote-technician-page.ts';
import { serveRemoteTechnician } from './devices/remote-technician/remote-technician-routes.ts';
import type { DeviceTransport } from './devices/transport/device-transport.ts';
import type { MailOptions } from './guest/login-code-mailer.ts';
import { mountGuestAccess } from './guest/mount-guest-access.ts';
import { closeServer, createServer } from './http/server.ts';
import { AccessTokenAuthenticator } from './http/access-token-authenticator.ts';
import { defaultRateLimit, type RateLimit, RateLimiter } from './http/rate-limit.ts';
import { mountOAuth } from './oauth/mount-oauth.ts';
import { ResourceReader } from './queries/resource-reader.ts';
import { refreshProducts } from './resources/products.ts';
import { mountPublicApi } from './routes/mount-public-api.ts';
import { MasterKeys } from './secrets/master-keys.ts';
import type { BridgeServices } from './services.ts';
import { openStorage } from './storage/open-storage.ts';
import { startEventStreaming } from './streaming/event-streaming.ts';
import { deleteExpiredMembers } from './tasks/member-auto-deletion.ts';
import { PeriodicTask } from './tasks/periodic-task.ts';
import { serveReleaseDownloads } from './updates/release-download-route.ts';
import { ReleaseStore } from './updates/release-store.ts';
import { WebhookOutbox } from './webhooks/outbox.ts';
import { createWebhookDeliveryService } from './webhooks/webhook-delivery-service.ts';
import { OrganizationWriter } from './transactions/organization-writer.ts';

export interface BridgeOptions {
  readonly dataDir: string;
  /** `postgres://…`; default: SQLite in the data folder. */
  readonly database?: string | undefined;
  /** Default: the address that the bridge listens on. */
  readonly publicUrl?: string | undefined;
  /** Controllers pin it when they are claimed: the fingerprint of the bridge's own authority or of its HTTPS certificate. */
  readonly caFingerprint?: string | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly rateLimit?: RateLimit;
  /** Permits other machines to read `/metrics`. */
  readonly publicMetrics?: boolean;
  /** Replaces the connected controllers, for tests. */
  readonly actions?: DeviceActionExecutor;
  /** An external broker; default: a broker in this process. */
  readonly mqttUrl?: string | undefined;
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
  /** Private address ranges that webhooks may reach, such as `10.0.0.0/8`. */
  readonly webhookAllow?: readonly string[];
  /** Addresses and ranges of reverse proxies whose `X-Forwarded-For` is trusted, such as `127.0.0.1`. */
  readonly trustedProxies?: readonly string[];
  /** Interval for checking which webhook deliveries are due. */
  readonly webhookSweepMs?: number;
  /** Mail server for login codes of guests; default: codes are logged. */
  readonly mail?: MailOptions | undefined;
  /** Interval for checking the tokens of open event streams. */
  readonly streamCheckMs?: number;
  /** Folder with public keys for verifying releases; default: `release-keys` in the data folder. */
  readonly releaseKeys?: string | undefined;
  /** Interval for checking schedules that trigger virtual devices. */
  readonly scheduleCheckMs?: number;
}

export interface Bridge {
  readonly services: BridgeServices;
  readonly app: FastifyInstance;
  /** Runs the triggers of virtual gadgets. */
  readonly triggers: VirtualGadgetTriggers;
  readonly devices: DeviceService;
  /** Serves plain HTTP and returns the address. */
  listen(host: string, port: number): Promise<string>;
  close(): Promise<void>;
}

const wallClock = (): Instant => instant(Date.now());

interface OpenBridgeServices extends BridgeServices {
  readonly outbox: WebhookOutbox;
  /** Uses the address as the public URL if none was configured. */
  setListenAddress(address: string): void;
  close(): Promise<void>;
}

/** Opens the database, the master keys and the writer. Also used by commands that run while the bridge is running. */
export const openBridgeServices = async (
  options: Omit<BridgeOptions, 'logger' | 'rateLimit'>,
): Promise<OpenBridgeServices> => {
  const clock = options.clock ?? wallClock;
  const storage = await openStorage({
    url: options.database,
    dataDir: options.dataDir,
    now: clock(),
    ...(options.onQuery === undefined ? {} : { onQuery: options.onQuery }),
  });
  await refreshProducts(storage.writer, loadProfiles());
  const masterKeys = MasterKeys.open(options.dataDir);
  const newId = createIdGenerator(clock, randomBytes);
  const writer = new OrganizationWriter({ storage, masterKeys, clock, newId });
  const outbox = new WebhookOutbox({ storage, clock, newId });
  writer.onRecorded((db, recorded) => outbox.write(db, recorded));
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
    caFingerprint: options.caFingerprint ?? null,
    setListenAddress: address => {
      if (options.publicUrl === undefined) publicUrl = address;
    },
    close: () => storage.close(),
  };
};

const AUTO_DELETION_MS = 5000;

const autoDeletionOf = (
  services: BridgeServices,
  { log }: FastifyInstance,
  intervalMs: number | null = AUTO_DELETION_MS,
) => {
  const onError = (err: unknown): void => log.error({ err }, 'Deleting expired members failed');
  const task = new PeriodicTask(() => deleteExpiredMembers(services, onError), intervalMs ?? 0, onError);
  if (intervalMs !== null) task.start();
  return task;
};

const WEBHOOK_SWEEP_MS = 500;

const webhookDeliveryOf = (services: OpenBridgeServices, { log }: FastifyInstance, options: BridgeOptions) =>
  createWebhookDeliveryService(services, services.outbox, {
    allow: options.webhookAllow ?? [],
    sweepMs: options.webhookSweepMs ?? WEBHOOK_SWEEP_MS,
    random: Math.random,
    onError: error => log.error({ reason: (error as Error).message }, 'Webhook delivery failed'),
  });

const FEED_POLL_MS = 500;
const STREAM_TICK_MS = 5000;
const SCHEDULE_LOOK_MS = 1000;

const scheduleAutomationOf = (
  services: BridgeServices,
  { log }: FastifyInstance,
  triggers: VirtualGadgetTriggers,
  intervalMs = SCHEDULE_LOOK_MS,
) => {
  const onError = (error: unknown): void => log.error({ reason: (error as Error).message }, 'Schedule triggers failed');
  const task = new PeriodicTask(() => runScheduleTriggers(services, triggers), intervalMs, onError);
  task.start();
  return task;
};

export const createBridge = async (options: BridgeOptions): Promise<Bridge> => {
  const services = await openBridgeServices(options);
  const authenticator = new AccessTokenAuthenticator(services.storage, services.clock);
  const rateLimiter = new RateLimiter(options.rateLimit ?? defaultRateLimit, () => performance.now());
  const authentication = { services, authenticator, rateLimiter };
  const releases = new ReleaseStore(options.dataDir, options.releaseKeys);
  const app = createServer({
    metrics: { storage: services.storage, commits: services.writer, isPublic: options.publicMetrics ?? false },
    logger: options.logger,
    trustedProxies: options.trustedProxies ?? [],
  });
  const devices = await DeviceService.open(app, services, options);
  const actions = options.actions ?? devices.actions;
  mountPublicApi(app, authentication, actions);
  mountOAuth(app, authentication);
  mountAdminApi(app, authentication, releases);
  await mountGuestAccess(app, services, actions, options.mail ?? null);
  serveReleaseDownloads(app, services, releases);
  serveRemoteTechnician(app, authentication, devices.technicians);
  await serveRemoteTechnicianPage(app, services);
  const autoDeletion = autoDeletionOf(services, app, options.autoDeletionMs);
  const webhooks = webhookDeliveryOf(services, app, options);
  await webhooks.start();
  const streaming = startEventStreaming(app, {
    ...authentication,
    postgresUrl: options.database ?? null,
    pollMs: FEED_POLL_MS,
    onRemoteCommit: organizationId => webhooks.wakeOrganization(organizationId),
    tickMs: options.streamCheckMs ?? STREAM_TICK_MS,
    onError: error => app.log.error({ reason: (error as Error).message }, 'Event streaming failed'),
  });
  const triggers = new VirtualGadgetTriggers(() => performance.now());
  services.writer.onCommitted(({ events }) => triggers.resetChainsAfterUserActions(events));
  const schedules = scheduleAutomationOf(services, app, triggers, options.scheduleCheckMs);
  return {
    services,
    app,
    triggers,
    devices,
    listen: async (host, port) => {
      const address = await app.listen({ host, port });
      services.setListenAddress(address);
      return address;
    },
    close: async () => {
      // In parallel, so that a hanging webhook receiver and a slow request do not add up their timeouts.
      await Promise.all([closeServer(app), autoDeletion.stop(), schedules.stop(), webhooks.close(), devices.close()]);
      await streaming.close();
      await services.close();
    },
  };
};
