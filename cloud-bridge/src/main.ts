import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { idSource } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { mountAdmin } from './admin/mount-admin.ts';
import type { ActionPort } from './actions/action-port.ts';
import { lookAtSchedules } from './automation/schedule-automation.ts';
import { VirtualTriggers } from './automation/virtual-triggers.ts';
import { Devices } from './devices/devices.ts';
import { serveFarPage } from './devices/remote-technician/far-page.ts';
import { serveFarTechnicians } from './devices/remote-technician/far-routes.ts';
import type { DeviceTransport } from './devices/transport/device-transport.ts';
import type { MailOptions } from './guest/code-mail.ts';
import { mountGuests } from './guest/mount-guests.ts';
import { closeServer, createServer } from './http/server.ts';
import { Authenticator } from './http/authenticate.ts';
import { defaultRateLimit, type RateLimit, RateLimiter } from './http/rate-limit.ts';
import { mountOAuth } from './oauth/mount-oauth.ts';
import { Reader } from './queries/reader.ts';
import { refreshProducts } from './resources/products.ts';
import { mountApi } from './routes/mount-api.ts';
import { MasterKeys } from './secrets/master-key.ts';
import type { Services } from './services.ts';
import { openStorage } from './storage/open-storage.ts';
import { createStreaming } from './streaming/streaming.ts';
import { deleteExpiredMembers } from './tasks/auto-deletion.ts';
import { PeriodicTask } from './tasks/periodic-task.ts';
import { serveDownloads } from './updates/download-route.ts';
import { ReleaseStore } from './updates/release-store.ts';
import { Outbox } from './webhooks/outbox.ts';
import { createWebhookDelivery } from './webhooks/webhook-delivery.ts';
import { Writer } from './transactions/writer.ts';

export interface BridgeOptions {
  readonly dataDir: string;
  /** `postgres://…`; without it SQLite in the data directory. */
  readonly database?: string | undefined;
  /** Without it the address that the bridge listens on. */
  readonly publicUrl?: string | undefined;
  /** What controllers pin when they are claimed: of the bridge's own authority, or of the certificate it was given. */
  readonly caFingerprint?: string | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly rateLimit?: RateLimit;
  /** Lets other machines read `/metrics`. */
  readonly publicMetrics?: boolean;
  /** In place of the controllers that are connected. */
  readonly actions?: ActionPort;
  /** A broker that others run; without it one in this process. */
  readonly mqttUrl?: string | undefined;
  /** Instead of any broker. */
  readonly transport?: DeviceTransport | undefined;
  /** How long a controller has for an action. */
  readonly actionDeadlineMs?: number;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number;
  readonly clock?: () => Instant;
  readonly onQuery?: (sql: string) => void;
  /** How often members are looked for whose day has passed; null: never. */
  readonly autoDeletionMs?: number | null;
  /** Address ranges that webhooks may reach though they are not public: `10.0.0.0/8`. */
  readonly webhookAllow?: readonly string[];
  /** Addresses and ranges of the proxies before it, whose `X-Forwarded-For` is believed: `127.0.0.1`. */
  readonly trustedProxies?: readonly string[];
  /** How often webhooks are looked over for what is due. */
  readonly webhookSweepMs?: number;
  /** How login codes reach guests; without it they are in the log. */
  readonly mail?: MailOptions | undefined;
  /** How often the tokens of open streams are looked at again. */
  readonly streamTickMs?: number;
  /** The folder of the keys whose releases are taken; without it `release-keys` in the data directory. */
  readonly releaseKeys?: string | undefined;
  /** How often schedules are looked at for triggers of virtual devices. */
  readonly scheduleLookMs?: number;
}

export interface Bridge {
  readonly services: Services;
  readonly app: FastifyInstance;
  /** Told of what virtual gadgets do. */
  readonly triggers: VirtualTriggers;
  readonly devices: Devices;
  /** Serves plain HTTP and answers the address. */
  listen(host: string, port: number): Promise<string>;
  close(): Promise<void>;
}

const wallClock = (): Instant => instant(Date.now());

interface OpenServices extends Services {
  readonly outbox: Outbox;
  /** Where this bridge listens, once it does. */
  listensAt(address: string): void;
  close(): Promise<void>;
}

/** What the commands beside a running bridge need too: the database, its keys and the one way to write. */
export const openServices = async (options: Omit<BridgeOptions, 'logger' | 'rateLimit'>): Promise<OpenServices> => {
  const clock = options.clock ?? wallClock;
  const storage = await openStorage({
    url: options.database,
    dataDir: options.dataDir,
    now: clock(),
    ...(options.onQuery === undefined ? {} : { onQuery: options.onQuery }),
  });
  await refreshProducts(storage.writer, loadProfiles());
  const masterKeys = MasterKeys.open(options.dataDir);
  const newId = idSource(clock, randomBytes);
  const writer = new Writer({ storage, masterKeys, clock, newId });
  const outbox = new Outbox({ storage, clock, newId });
  writer.onRecorded((db, recorded) => outbox.write(db, recorded));
  let publicUrl = (options.publicUrl ?? 'http://localhost').replace(/\/+$/, '');
  return {
    storage,
    masterKeys,
    clock,
    newId,
    reader: new Reader(storage.rows),
    writer,
    outbox,
    get publicUrl() {
      return publicUrl;
    },
    caFingerprint: options.caFingerprint ?? null,
    listensAt: address => {
      if (options.publicUrl === undefined) publicUrl = address;
    },
    close: () => storage.close(),
  };
};

const AUTO_DELETION_MS = 5000;

const autoDeletionOf = (services: Services, { log }: FastifyInstance, intervalMs: number | null = AUTO_DELETION_MS) => {
  const onError = (err: unknown): void => log.error({ err }, 'auto-deletion failed');
  const task = new PeriodicTask(() => deleteExpiredMembers(services, onError), intervalMs ?? 0, onError);
  if (intervalMs !== null) task.start();
  return task;
};

const WEBHOOK_SWEEP_MS = 500;

const webhookDeliveryOf = (services: OpenServices, { log }: FastifyInstance, options: BridgeOptions) =>
  createWebhookDelivery(services, services.outbox, {
    allow: options.webhookAllow ?? [],
    sweepMs: options.webhookSweepMs ?? WEBHOOK_SWEEP_MS,
    random: Math.random,
    onError: error => log.error({ reason: (error as Error).message }, 'webhook delivery failed'),
  });

const FEED_POLL_MS = 500;
const STREAM_TICK_MS = 5000;
const SCHEDULE_LOOK_MS = 1000;

const scheduleAutomationOf = (
  services: Services,
  { log }: FastifyInstance,
  triggers: VirtualTriggers,
  intervalMs = SCHEDULE_LOOK_MS,
) => {
  const onError = (error: unknown): void => log.error({ reason: (error as Error).message }, 'automation failed');
  const task = new PeriodicTask(() => lookAtSchedules(services, triggers), intervalMs, onError);
  task.start();
  return task;
};

export const createBridge = async (options: BridgeOptions): Promise<Bridge> => {
  const services = await openServices(options);
  const authenticator = new Authenticator(services.storage, services.clock);
  const rateLimiter = new RateLimiter(options.rateLimit ?? defaultRateLimit, () => performance.now());
  const authentication = { services, authenticator, rateLimiter };
  const releases = new ReleaseStore(options.dataDir, options.releaseKeys);
  const app = createServer({
    metrics: { storage: services.storage, commits: services.writer, isPublic: options.publicMetrics ?? false },
    logger: options.logger,
    trustedProxies: options.trustedProxies ?? [],
  });
  const devices = await Devices.open(app, services, options);
  const actions = options.actions ?? devices.actions;
  mountApi(app, authentication, actions);
  mountOAuth(app, authentication);
  mountAdmin(app, authentication, releases);
  await mountGuests(app, services, actions, options.mail ?? null);
  serveDownloads(app, services, releases);
  serveFarTechnicians(app, authentication, devices.technicians);
  await serveFarPage(app, services);
  const autoDeletion = autoDeletionOf(services, app, options.autoDeletionMs);
  const webhooks = webhookDeliveryOf(services, app, options);
  await webhooks.start();
  const streaming = createStreaming(app, {
    ...authentication,
    postgresUrl: options.database ?? null,
    pollMs: FEED_POLL_MS,
    onElsewhere: organizationId => webhooks.stir(organizationId),
    tickMs: options.streamTickMs ?? STREAM_TICK_MS,
    onError: error => app.log.error({ reason: (error as Error).message }, 'streaming failed'),
  });
  const triggers = new VirtualTriggers(() => performance.now());
  services.writer.onCommitted(({ events }) => triggers.noticeActions(events));
  const schedules = scheduleAutomationOf(services, app, triggers, options.scheduleLookMs);
  return {
    services,
    app,
    triggers,
    devices,
    listen: async (host, port) => {
      const address = await app.listen({ host, port });
      services.listensAt(address);
      return address;
    },
    close: async () => {
      // Side by side: a receiver that hangs and a request that is slow share the few seconds that stopping may take.
      await Promise.all([closeServer(app), autoDeletion.stop(), schedules.stop(), webhooks.close(), devices.close()]);
      await streaming.close();
      await services.close();
    },
  };
};
