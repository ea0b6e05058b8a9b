import { SignatureVerifierCache } from '@lintel/crypto/signature-verifier-cache';
import { DeviceRowLoaders } from './queries/device-row-loaders.ts';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdGenerator } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type * as z from 'zod';
import { WebhookAddressGuard } from './http/webhook-address-guard.ts';
import { ApiError, unwrapOrThrow } from './http/api-error.ts';
import { AccountMailer } from './mail/account-mailer.ts';
import { MailBudget } from './mail/mail-budget.ts';
import { defaultRetentionDays } from './storage/retention-policy.ts';
import { ResourceReader } from './queries/resource-reader.ts';
import type { ResourceViewer } from './queries/resource-viewer-identity.ts';
import type { CreatedDevice } from './resources/devices.ts';
import { MasterKeys } from './secrets/master-keys.ts';
import type { BridgeServices } from './bridge-services-interface.ts';
import { openStorage } from './storage/open-storage.ts';
import type { OrganizationEventRow } from './storage/event-schema.ts';
import type { Database, SiteRow } from './storage/schema.ts';
import { insertOrganization } from './testing/accounts.ts';
import { insertDevice, insertSite } from './testing/sites.ts';
import { copySqliteTemplate, TEST_START_TIME } from './testing/sqlite-template.ts';
import { openCertificateAuthority } from './tls/certificate-authority.ts';
import { DeletionClock } from './storage/deletion-clock.ts';
import { type Actor, systemActor } from './transactions/actor.ts';
import { type WriteContext, OrganizationWriter } from './transactions/organization-writer.ts';

const allCapabilities: DeviceCapabilities = {
  gadgets: 'multiple',
  gadget_max_count: 3,
  script: false,
  internet: true,
  ethernet: true,
  wifi: true,
  cellular: false,
  pin: true,
  nfc: true,
  input_rules: true,
  mains: true,
  battery: false,
  battery_rechargeable: false,
  audio: true,
};

/** Products with different gadget limits and capabilities. */
const products: Readonly<Record<string, DeviceCapabilities>> = {
  multiple: allCapabilities,
  single: { ...allCapabilities, gadgets: 'single', gadget_max_count: 1 },
  gateway: { ...allCapabilities, gadgets: 'none', gadget_max_count: 0, input_rules: false },
};

/** A door with actions, states and signals. */
export const doorGadgetRequest: CreateGadgetRequest = {
  name: 'Door',
  actions: [
    { id: 'open', name: 'Open' },
    { id: 'close', name: 'Close' },
  ],
  states: [
    { id: 'opened', name: 'Opened' },
    { id: 'closed', name: 'Closed' },
  ],
  signals: [{ id: 'bell', name: 'Bell' }],
};

/** The body as the API parses it, with the defaults of the schema. */
export const parseTestBody = <S extends z.ZodType>(schema: S, given: object): z.output<S> =>
  unwrapOrThrow(parseRequestBody(schema, given));

/** `type: field` of the API error with which the work fails. */
export const captureApiError = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const field = error.args['field'];
    return field === undefined ? error.type : `${error.type}: ${field}`;
  }
  throw new Error('Expected an API error, but the work succeeded');
};

/** An organization in a test database, with its recorded events. */
export class TestOrganization {
  readonly id: string;
  readonly viewer: ResourceViewer;
  readonly events: OrganizationEventRow[] = [];
  readonly #services: BridgeServices;

  constructor(services: BridgeServices, id: string) {
    this.#services = services;
    this.id = id;
    this.viewer = { organizationId: id, applicationId: null };
    services.writer.onCommitted(({ organizationId, events }) => {
      if (organizationId === id) this.events.push(...events);
    });
  }

  write<T>(work: (context: WriteContext) => Promise<T>, actor: Actor = systemActor): Promise<T> {
    return this.#services.writer.write(this.id, actor, work);
  }

  /** `verb object_type` of every event that the work records. */
  async eventsOf(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.events.length;
    await work();
    return this.events.slice(before).map(({ verb, object_type }) => `${verb} ${object_type}`);
  }

  /** `type id` of every object that the work marks as changed for controllers. */
  async changesOf(work: () => Promise<unknown>): Promise<string[]> {
    const read = () =>
      this.#services.storage.writer
        .selectFrom('access_changes')
        .select(['object_type', 'object_id', 'revision'])
        .where('organization_id', '=', this.id)
        .orderBy('revision')
        .execute();
    const before = (await read()).length;
    await work();
    return (await read()).slice(before).map(({ object_type, object_id }) => `${object_type} ${object_id}`);
  }

  site(name = 'Site'): Promise<SiteRow> {
    return insertSite(this.#services, this.id, { name, timezone: null });
  }

  /** Creates a device with one door per name; virtual without a hardware id. */
  async device(
    siteId: string,
    {
      product = 'multiple',
      doors = ['Door'],
      hardwareId,
    }: { readonly product?: string; readonly doors?: readonly string[]; readonly hardwareId?: string } = {},
  ): Promise<CreatedDevice> {
    return insertDevice(this.#services, this.id, {
      site_id: siteId as never,
      name: 'Device',
      product_id: product,
      ...(hardwareId === undefined ? {} : { hardware_id: hardwareId as never }),
      gadgets: doors.map(name => ({ ...doorGadgetRequest, name })),
    });
  }
}

export interface TestDatabase {
  readonly services: BridgeServices;
  readonly clock: { now: number };
  /** The SQL text of every statement so far. */
  readonly statements: string[];
  addOrganization(): Promise<TestOrganization>;
  insert<T extends keyof Database>(table: T, row: Database[T]): Promise<void>;
  close(): Promise<void>;
}

/** A SQLite database with all migrations and the services for writes, without HTTP and devices. Its clock is stopped. */
export const openTestDatabase = async (): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-unit-'));
  const clock: { now: number } = { now: TEST_START_TIME };
  const read = (): Instant => instant(clock.now);
  const statements: string[] = [];
  await copySqliteTemplate(dataDir);
  const storage = await openStorage({ dataDir, now: clock.now, onQuery: text => statements.push(text) });
  // A test database does not need to survive a power failure.
  await sql.raw('pragma synchronous = off').execute(storage.writer);
  const masterKeys = MasterKeys.open(dataDir);
  const newId = createIdGenerator(read, randomBytes);
  const services: BridgeServices = {
    storage,
    masterKeys,
    deviceRows: new DeviceRowLoaders(storage),
    deviceVerifiers: new SignatureVerifierCache(),
    clock: read,
    deletionClock: new DeletionClock({ clock: read, monotonic: read }),
    newId,
    reader: new ResourceReader(storage.rows),
    writer: new OrganizationWriter({ storage, masterKeys, clock: read, deletionTime: read, newId }),
    publicUrl: 'https://doors.example.com',
    webhookAddresses: new WebhookAddressGuard([]),
    caFingerprint: null,
    authority: () => openCertificateAuthority(dataDir, clock.now),
    publishKeys: async () => undefined,
    accountMailer: new AccountMailer(null, null),
    organizationCreation: 'owners',
    mailBudget: new MailBudget(storage, read),
    retention: defaultRetentionDays,
  };
  const insert = async <T extends keyof Database>(table: T, row: Database[T]): Promise<void> => {
    await storage.writer
      .insertInto(table as 'products')
      .values(row as never)
      .execute();
  };
  for (const [id, capabilities] of Object.entries(products)) {
    await insert('products', { id, name: id, revision_id: 'r1', capabilities: JSON.stringify(capabilities) });
  }
  return {
    services,
    clock,
    statements,
    insert,
    addOrganization: async () => {
      const id = await insertOrganization(services, { whitelabel: 0 });
      return new TestOrganization(services, id);
    },
    close: async () => {
      await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  };
};

/** One database per test file, and a new organization for every test. */
export const useTestOrganization = (): { readonly database: TestDatabase; readonly organization: TestOrganization } => {
  let database: TestDatabase;
  let organization: TestOrganization;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    database.clock.now = TEST_START_TIME;
    organization = await database.addOrganization();
  });
  afterAll(() => database.close());
  return {
    get database() {
      return database;
    },
    get organization() {
      return organization;
    },
  };
};
