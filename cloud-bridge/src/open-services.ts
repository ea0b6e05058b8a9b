import { SignatureVerifierCache } from '@lintel/crypto/signature-verifier-cache';
import { DeviceRowLoaders } from './queries/device-row-loaders.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdGenerator } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { ensurePrivateFolder } from '@lintel/service/data-folder/data-folder';
import type { Log } from '@lintel/service/log-function-type';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { FastifyBaseLogger } from 'fastify';
import { recordActivityCounts } from './derived-data/record-hourly-activity-counts.ts';
import { updateMemberSearchTerms } from './derived-data/update-member-search-terms.ts';
import { SHARED_KEY_POLL_MS } from './shared-state/shared-state-tasks.ts';
import { type HostLookup, WebhookAddressGuard } from './http/webhook-address-guard.ts';
import { AccountMailer } from './mail/account-mailer.ts';
import { MailBudget } from './mail/mail-budget.ts';
import type { MailOptions } from './mail/mail-sender.ts';
import { openVerifiedAuthority } from './key-material/open-verified-certificate-authority.ts';
import { rejectEmptiedDatabase } from './key-material/reject-emptied-database.ts';
import { openLocalMasterKeys, openClusterMasterKeys } from './key-material/open-local-or-cluster-master-keys.ts';
import { SharedKeyFileSync } from './key-material/shared-key-files.ts';
import type { KeyResetDependencies } from './key-material/reset-lost-keys.ts';
import { ResourceReader } from './queries/resource-reader.ts';
import { storeShippedProducts } from './resources/store-shipped-products.ts';
import { defaultRetentionDays, type RetentionDays } from './storage/retention-policy.ts';
import type { BridgeServices, OrganizationCreation } from './bridge-services-interface.ts';
import { openStorage, type Storage } from './storage/open-storage.ts';
import type { CertificateAuthority } from './tls/certificate-authority.ts';
import { WebhookOutbox } from './webhooks/outbox.ts';
import { requireDeskMayGive } from './role-limits/desk-limits.ts';
import { OrganizationWriter } from './transactions/organization-writer.ts';

export interface BridgeServicesOptions {
  readonly dataDir: string;
  /** `postgres://…`; default: SQLite in the data folder. */
  readonly database?: string | undefined;
  /** Seals the keys in the database, which several bridges share. Default: keys are only in the data folder. */
  readonly clusterSecret?: string | undefined;
  /** Accepts an empty database beside existing keys. Default: refuses it, because the database may be lost. */
  readonly isNewDatabase?: boolean | undefined;
  /** Default: the address that the bridge listens on. */
  readonly publicUrl?: string | undefined;
  /** Controllers pin it when they are claimed: the fingerprint of the bridge's own authority or of its HTTPS certificate. */
  readonly caFingerprint?: string | undefined;
  readonly clock?: () => Instant;
  readonly onQuery?: (sql: string) => void;
  /** Private targets that webhooks may reach: address ranges such as `10.0.0.0/8`, or `10.0.0.7:8080`. */
  readonly webhookAllow?: readonly string[];
  /** Resolves the names of webhook receivers. Default: the operating system. */
  readonly webhookHostLookup?: HostLookup;
  /** Mail server for login codes of guests, invitations and password resets; default: codes are on the terminal. */
  readonly mail?: MailOptions | undefined;
  /** Default: owners. */
  readonly organizationCreation?: OrganizationCreation | undefined;
  /** Mails of each kind in an hour; an organization sends a tenth at most. Default: 5000. */
  readonly mailsPerHour?: number | undefined;
  /** How long events and delivery logs are kept. Default: events without end, delivery logs for 30 days. */
  readonly retention?: RetentionDays | undefined;
  readonly logger?: FastifyBaseLogger | false | undefined;
}

/** Until all bridges have taken over published keys, with a margin for a slow database. */
const KEY_PROPAGATION_MS = 3 * SHARED_KEY_POLL_MS;

const wallClock = (): Instant => instant(Date.now());

export interface OpenedBridgeServices extends BridgeServices {
  readonly outbox: WebhookOutbox;
  /** Takes over key files that another bridge or a command has published. */
  pullKeys(): Promise<void>;
  /** Uses the address as the public URL if none was configured. */
  setListenAddress(address: string): void;
  setCaFingerprint(fingerprint: string): void;
  close(): Promise<void>;
}

const closeStorageOnError = async <T>(storage: Storage, opening: Promise<T>): Promise<T> => {
  try {
    return await opening;
  } catch (error) {
    await storage.close();
    throw error;
  }
};

export const toLogFunction = (logger: BridgeServicesOptions['logger']): Log | undefined =>
  logger ? (level, message, facts) => logger[level](facts ?? {}, message) : undefined;

/** Opens the database, the master keys and the writer. Also used by commands that run while the bridge is running. */
export const openBridgeServices = async (options: BridgeServicesOptions): Promise<OpenedBridgeServices> => {
  const clock = options.clock ?? wallClock;
  ensurePrivateFolder(options.dataDir);
  if (options.database === undefined) rejectEmptiedDatabase(options.dataDir);
  const storage = await openStorage({
    url: options.database,
    dataDir: options.dataDir,
    now: clock(),
    log: toLogFunction(options.logger),
    ...(options.onQuery === undefined ? {} : { onQuery: options.onQuery }),
  });
  const { dataDir, clusterSecret } = options;
  const keyOptions = { now: clock(), isNewDatabase: options.isNewDatabase ?? false };
  const sharedKeys = clusterSecret === undefined ? null : new SharedKeyFileSync(dataDir, clusterSecret);
  const masterKeys = await closeStorageOnError(
    storage,
    sharedKeys === null
      ? openLocalMasterKeys(storage.writer, dataDir, keyOptions)
      : openClusterMasterKeys(storage.writer, sharedKeys, dataDir, keyOptions),
  );
  await closeStorageOnError(storage, storeShippedProducts(storage.writer, loadProfiles()));
  const newId = createIdGenerator(clock, randomBytes);
  const writer = new OrganizationWriter({ storage, masterKeys, clock, newId, requireMayGive: requireDeskMayGive });
  const outbox = new WebhookOutbox({ storage, clock, newId });
  writer.onRecorded(async (db, recorded) => {
    await outbox.write(db, recorded);
    await updateMemberSearchTerms(db, storage.engine, recorded);
    await recordActivityCounts(db, storage.engine, recorded);
  });
  let caFingerprint = options.caFingerprint ?? null;
  let authority: Promise<CertificateAuthority> | undefined;
  let publicUrl = (options.publicUrl ?? 'http://localhost').replace(/\/+$/, '');
  return {
    storage,
    masterKeys,
    deviceRows: new DeviceRowLoaders(storage),
    deviceVerifiers: new SignatureVerifierCache(),
    clock,
    newId,
    reader: new ResourceReader(storage.rows),
    writer,
    outbox,
    get publicUrl() {
      return publicUrl;
    },
    webhookAddresses: new WebhookAddressGuard(options.webhookAllow ?? [], options.webhookHostLookup),
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
    organizationCreation: options.organizationCreation ?? 'owners',
    mailBudget: new MailBudget(storage, clock, options.mailsPerHour),
    retention: options.retention ?? defaultRetentionDays,
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
export const openKeyResetDependencies = async ({
  dataDir,
  database,
  clusterSecret,
}: Pick<BridgeServicesOptions, 'dataDir' | 'database' | 'clusterSecret'>): Promise<KeyResetDependencies> => {
  ensurePrivateFolder(dataDir);
  return {
    storage: await openStorage({ url: database, dataDir, now: wallClock() }),
    dataDir,
    sharedKeys: clusterSecret === undefined ? null : new SharedKeyFileSync(dataDir, clusterSecret),
    clock: wallClock,
    newId: createIdGenerator(wallClock, randomBytes),
  };
};
