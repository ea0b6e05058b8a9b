import type { Kysely } from 'kysely';
import { insertOAuthApplication } from '../accounts/insert-oauth-application.ts';
import {
  createVerifiedUser,
  findUserByEmail,
  setPasswordAndEndSessions,
  setOrganizationUserRole,
  markUserVerified,
} from '../accounts/users.ts';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';
import { systemActor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  listInheritedSeedGroupKeys,
  seedDevice,
  seedGadget,
  seedGadgetTrigger,
  seedInputRules,
  seedMember,
  seedMemberGroup,
  seedSchedule,
  seedSite,
  seedStockCard,
  seedTag,
} from './seed-objects.ts';
import { SeedKeyResolver } from './seed-references.ts';
import type { SeedEntry, SeedFile } from './seed-file.ts';
import {
  seedOAuthApplicationSchema,
  seedOrganizationSchema,
  rejectUnknownSeedFields,
  seedUserSchema,
} from './seed-fields.ts';
import { withSeedErrorPath } from './seed-error-path.ts';

export interface SeedResult {
  readonly ids: Readonly<Record<string, string>>;
  /** Secrets by key, only of objects that this run created: existing secrets cannot be read. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Keys are stored in the database, so that seeding the same file again creates nothing twice. */
const loadSeedKeys = async (db: Kysely<Database>, scope: string): Promise<Map<string, string>> => {
  const rows = await db.selectFrom('seed_keys').select(['key', 'object_id']).where('scope', '=', scope).execute();
  return new Map(rows.map(row => [row.key, row.object_id]));
};

const ORGANIZATION_SCOPE = '';

interface SeedOrganization {
  readonly id: string;
  readonly isNew: boolean;
}

const findOrCreateOrganization = async (
  { storage, newId, clock, masterKeys }: BridgeServices,
  entry: SeedEntry,
): Promise<SeedOrganization> => {
  const { name, whitelabel, metadata } = await withSeedErrorPath(entry.path, async () =>
    unwrapOrThrow(parseRequestBody(seedOrganizationSchema, entry.fields)),
  );
  const id = newId('organization');
  return storage.writer.transaction().execute(async db => {
    const seedKey = { scope: ORGANIZATION_SCOPE, key: entry.key, object_id: id };
    await db
      .insertInto('seed_keys')
      .values(seedKey)
      .onConflict(conflict => conflict.doNothing())
      .execute();
    const { object_id } = await db
      .selectFrom('seed_keys')
      .select('object_id')
      .where('scope', '=', ORGANIZATION_SCOPE)
      .where('key', '=', entry.key)
      .executeTakeFirstOrThrow();
    if (object_id !== id) return { id: object_id, isNew: false };
    await db
      .insertInto('organizations')
      .values({
        id,
        name,
        is_deleted: 0,
        created_at: clock(),
        metadata: JSON.stringify(metadata),
        whitelabel: whitelabel ? 1 : 0,
        technicians_activate: 0,
        guest_contact_name: null,
        guest_contact_phone: null,
        guest_pins: 'online',
        revision: 0,
        last_recorded_at: 0,
        key_version: masterKeys.currentVersion,
      })
      .execute();
    return { id, isNew: true };
  });
};

const deleteOrganization = async ({ storage }: BridgeServices, id: string): Promise<void> => {
  await storage.writer.deleteFrom('seed_keys').where('object_id', '=', id).execute();
  await storage.writer.deleteFrom('organizations').where('id', '=', id).execute();
};

/** Creates the objects of one file. Objects that already exist keep their id and are not changed. */
class SeedRun {
  readonly ids: SeedKeyResolver;
  readonly secrets: Record<string, Record<string, string>> = {};
  readonly #context: WriteContext;
  readonly #scope: string;
  readonly #existingIds: ReadonlyMap<string, string>;

  constructor(context: WriteContext, scope: string, existingIds: ReadonlyMap<string, string>) {
    this.#context = context;
    this.#scope = scope;
    this.#existingIds = existingIds;
    this.ids = new SeedKeyResolver(existingIds);
  }

  async #storeKey(key: string, id: string): Promise<void> {
    this.ids.set(key, id);
    await this.#context.db.insertInto('seed_keys').values({ scope: this.#scope, key, object_id: id }).execute();
  }

  async seedEach(entries: readonly SeedEntry[], create: (entry: SeedEntry) => Promise<string>): Promise<void> {
    for (const entry of entries) {
      const existingId = this.#existingIds.get(entry.key);
      if (existingId !== undefined) this.ids.set(entry.key, existingId);
      else await this.#storeKey(entry.key, await withSeedErrorPath(entry.path, () => create(entry)));
    }
  }

  async seedUsers(entries: readonly SeedEntry[]): Promise<void> {
    await this.seedEach(entries, async ({ fields }) => {
      const { role, ...user } = unwrapOrThrow(parseRequestBody(seedUserSchema, fields));
      const { db, newId, now, organizationId } = this.#context;
      const found = await findUserByEmail(db, user.email);
      const { id } = found ?? (await createVerifiedUser(db, user, { newId, now }));
      if (found?.verified_at === null) {
        await setPasswordAndEndSessions(db, id, user.password);
        await markUserVerified(db, id, now);
      }
      await setOrganizationUserRole(db, { organizationId, userId: id }, role);
      return id;
    });
  }

  async seedApplications(entries: readonly SeedEntry[]): Promise<void> {
    await this.seedEach(entries, async ({ key, fields }) => {
      const body = unwrapOrThrow(parseRequestBody(seedOAuthApplicationSchema, fields));
      const { db, newId, now, keys, organizationId } = this.#context;
      const created = await insertOAuthApplication(
        db,
        {
          organizationId,
          name: body.name,
          redirectUris: body.redirect_uris,
          isPublic: body.is_public,
          clientId: body.client_id,
          clientSecret: body.client_secret,
        },
        { newId, now, keys },
      );
      this.secrets[key] = {
        client_id: created.application.client_id,
        ...(created.clientSecret === null ? {} : { client_secret: created.clientSecret }),
      };
      return created.application.id;
    });
  }

  async seedDevicesAndGadgets(devices: readonly SeedEntry[], gadgets: readonly SeedEntry[]): Promise<void> {
    const newGadgets = gadgets.filter(gadget => !this.#existingIds.has(gadget.key));
    const byDevice = Map.groupBy(newGadgets, gadget => gadget.fields['device']);
    const newDevices = devices.filter(device => !this.#existingIds.has(device.key));
    await this.seedEach(devices, async device => {
      const own = byDevice.get(device.key) ?? [];
      const created = await seedDevice(this.#context, device, own, this.ids);
      for (const [index, gadget] of own.entries()) await this.#storeKey(gadget.key, created.gadgetIds[index]!);
      return created.id;
    });
    const others = gadgets.filter(gadget => !this.ids.has(gadget.key));
    await this.seedEach(others, gadget => seedGadget(this.#context, gadget, this.ids));
    for (const device of newDevices) await seedInputRules(this.#context, device, this.ids);
  }

  /** A group can inherit from a group that the file lists later. */
  async seedGroups(entries: readonly SeedEntry[]): Promise<void> {
    let waiting = [...entries];
    while (waiting.length > 0) {
      const names = new Set(waiting.map(entry => entry.key));
      const ready = waiting.filter(entry => !listInheritedSeedGroupKeys(entry).some(key => names.has(key)));
      if (ready.length === 0) {
        const path = `${waiting[0]!.path}.permissions`;
        throw createInvalidFieldError(
          path,
          `must not be circular, but the groups ${[...names].join(', ')} inherit from one another`,
        );
      }
      await this.seedEach(ready, entry => seedMemberGroup(this.#context, entry, this.ids));
      waiting = waiting.filter(entry => !ready.includes(entry));
    }
  }
}

const seedInto = (
  services: BridgeServices,
  organizationId: string,
  { organization, lists }: SeedFile,
): Promise<SeedResult> =>
  services.writer.write(organizationId, systemActor, async context => {
    const run = new SeedRun(context, organization.key, await loadSeedKeys(context.db, organization.key));
    run.ids.set(organization.key, organizationId);
    await run.seedUsers(lists.users);
    await run.seedApplications(lists.applications);
    await run.seedEach(lists.card_stock, entry => seedStockCard(context, entry));
    await run.seedEach(lists.tags, entry => seedTag(context, entry));
    await run.seedEach(lists.sites, entry => seedSite(context, entry, run.ids));
    await run.seedDevicesAndGadgets(lists.devices, lists.gadgets);
    await run.seedEach(lists.schedules, entry => seedSchedule(context, entry));
    await run.seedGroups(lists.member_groups);
    await run.seedEach(lists.members, entry => seedMember(context, entry, run.ids));
    await run.seedEach(lists.gadget_triggers, entry => seedGadgetTrigger(context, entry, run.ids));
    return { ids: run.ids.asObject(), secrets: run.secrets };
  });

/** Creates all objects of the file, or none if one of them is invalid. */
export const seedOrganization = async (services: BridgeServices, file: SeedFile): Promise<SeedResult> => {
  rejectUnknownSeedFields(file);
  const { id, isNew } = await findOrCreateOrganization(services, file.organization);
  try {
    return await seedInto(services, id, file);
  } catch (error) {
    if (isNew) await deleteOrganization(services, id);
    throw error;
  }
};
