import type { Kysely } from 'kysely';
import { createApplication } from '../accounts/applications.ts';
import { createUser, findUserByEmail, setRole } from '../accounts/users.ts';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { invalid, orThrow } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import type { Database } from '../storage/schema.ts';
import { system } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/writer.ts';
import {
  inheritedKeys,
  makeDevice,
  makeGadget,
  makeGadgetTrigger,
  makeInputRules,
  makeMember,
  makeMemberGroup,
  makeSchedule,
  makeSite,
  makeStockCard,
  makeTag,
} from './makers.ts';
import { SeedIds } from './references.ts';
import type { SeedEntry, SeedFile } from './seed-file.ts';
import { applicationFields, organizationFields, refuseUnknownFields, userFields } from './seed-fields.ts';
import { under } from './seed-error.ts';

export interface Seeded {
  readonly ids: Readonly<Record<string, string>>;
  /** By key, of what this run has made: secrets of what was there before are not known any more. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Keys are remembered in the database, so that the same file twice makes nothing twice. */
const remembered = async (db: Kysely<Database>, scope: string): Promise<Map<string, string>> => {
  const rows = await db.selectFrom('seed_keys').select(['key', 'object_id']).where('scope', '=', scope).execute();
  return new Map(rows.map(row => [row.key, row.object_id]));
};

const ORGANIZATIONS = '';

interface OpenedOrganization {
  readonly id: string;
  readonly isNew: boolean;
}

const openOrganization = async (
  { storage, newId, clock, masterKeys }: Services,
  entry: SeedEntry,
): Promise<OpenedOrganization> => {
  const { name, whitelabel, metadata } = await under(entry.path, async () =>
    orThrow(parseRequest(organizationFields, entry.fields)),
  );
  const id = newId('organization');
  return storage.writer.transaction().execute(async db => {
    const claim = { scope: ORGANIZATIONS, key: entry.key, object_id: id };
    await db
      .insertInto('seed_keys')
      .values(claim)
      .onConflict(conflict => conflict.doNothing())
      .execute();
    const { object_id } = await db
      .selectFrom('seed_keys')
      .select('object_id')
      .where('scope', '=', ORGANIZATIONS)
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
        revision: 0,
        last_recorded_at: 0,
        key_version: masterKeys.currentVersion,
      })
      .execute();
    return { id, isNew: true };
  });
};

const forgetOrganization = async ({ storage }: Services, id: string): Promise<void> => {
  await storage.writer.deleteFrom('seed_keys').where('object_id', '=', id).execute();
  await storage.writer.deleteFrom('organizations').where('id', '=', id).execute();
};

/** What has been there before keeps its id and is left as it is. */
class SeedRun {
  readonly ids: SeedIds;
  readonly secrets: Record<string, Record<string, string>> = {};
  readonly #context: WriteContext;
  readonly #scope: string;
  readonly #known: ReadonlyMap<string, string>;

  constructor(context: WriteContext, scope: string, known: ReadonlyMap<string, string>) {
    this.#context = context;
    this.#scope = scope;
    this.#known = known;
    this.ids = new SeedIds(known);
  }

  async #remember(key: string, id: string): Promise<void> {
    this.ids.set(key, id);
    await this.#context.db.insertInto('seed_keys').values({ scope: this.#scope, key, object_id: id }).execute();
  }

  async each(entries: readonly SeedEntry[], make: (entry: SeedEntry) => Promise<string>): Promise<void> {
    for (const entry of entries) {
      const known = this.#known.get(entry.key);
      if (known !== undefined) this.ids.set(entry.key, known);
      else await this.#remember(entry.key, await under(entry.path, () => make(entry)));
    }
  }

  async users(entries: readonly SeedEntry[]): Promise<void> {
    await this.each(entries, async ({ fields }) => {
      const { role, ...user } = orThrow(parseRequest(userFields, fields));
      const { db, newId, now, organizationId } = this.#context;
      const found = await findUserByEmail(db, user.email);
      const { id } = found ?? (await createUser(db, user, { newId, now }));
      await setRole(db, { organizationId, userId: id }, role);
      return id;
    });
  }

  async applications(entries: readonly SeedEntry[]): Promise<void> {
    await this.each(entries, async ({ key, fields }) => {
      const body = orThrow(parseRequest(applicationFields, fields));
      const { db, newId, now, organizationId } = this.#context;
      const made = await createApplication(
        db,
        {
          organizationId,
          name: body.name,
          redirectUris: body.redirect_uris,
          isPublic: body.is_public,
          clientId: body.client_id,
          clientSecret: body.client_secret,
        },
        { newId, now },
      );
      this.secrets[key] = {
        client_id: made.application.client_id,
        ...(made.clientSecret === null ? {} : { client_secret: made.clientSecret }),
      };
      return made.application.id;
    });
  }

  async devicesAndGadgets(devices: readonly SeedEntry[], gadgets: readonly SeedEntry[]): Promise<void> {
    const newGadgets = gadgets.filter(gadget => !this.#known.has(gadget.key));
    const byDevice = Map.groupBy(newGadgets, gadget => gadget.fields['device']);
    const fresh = devices.filter(device => !this.#known.has(device.key));
    await this.each(devices, async device => {
      const own = byDevice.get(device.key) ?? [];
      const made = await makeDevice(this.#context, device, own, this.ids);
      for (const [index, gadget] of own.entries()) await this.#remember(gadget.key, made.gadgetIds[index]!);
      return made.id;
    });
    const others = gadgets.filter(gadget => !this.ids.has(gadget.key));
    await this.each(others, gadget => makeGadget(this.#context, gadget, this.ids));
    for (const device of fresh) await makeInputRules(this.#context, device, this.ids);
  }

  /** A group may inherit from one that the file names later. */
  async groups(entries: readonly SeedEntry[]): Promise<void> {
    let waiting = [...entries];
    while (waiting.length > 0) {
      const names = new Set(waiting.map(entry => entry.key));
      const ready = waiting.filter(entry => !inheritedKeys(entry).some(key => names.has(key)));
      if (ready.length === 0) {
        const path = `${waiting[0]!.path}.permissions`;
        throw invalid(path, `${path}: the groups ${[...names].join(', ')} inherit from one another in a circle`);
      }
      await this.each(ready, entry => makeMemberGroup(this.#context, entry, this.ids));
      waiting = waiting.filter(entry => !ready.includes(entry));
    }
  }
}

const seedInto = (services: Services, organizationId: string, { organization, lists }: SeedFile): Promise<Seeded> =>
  services.writer.write(organizationId, system, async context => {
    const run = new SeedRun(context, organization.key, await remembered(context.db, organization.key));
    run.ids.set(organization.key, organizationId);
    await run.users(lists.users);
    await run.applications(lists.applications);
    await run.each(lists.card_stock, entry => makeStockCard(context, entry));
    await run.each(lists.tags, entry => makeTag(context, entry));
    await run.each(lists.sites, entry => makeSite(context, entry, run.ids));
    await run.devicesAndGadgets(lists.devices, lists.gadgets);
    await run.each(lists.schedules, entry => makeSchedule(context, entry));
    await run.groups(lists.member_groups);
    await run.each(lists.members, entry => makeMember(context, entry, run.ids));
    await run.each(lists.gadget_triggers, entry => makeGadgetTrigger(context, entry, run.ids));
    return { ids: run.ids.asObject(), secrets: run.secrets };
  });

/** Creates what the file declares, all of it or nothing. */
export const seed = async (services: Services, file: SeedFile): Promise<Seeded> => {
  refuseUnknownFields(file);
  const { id, isNew } = await openOrganization(services, file.organization);
  try {
    return await seedInto(services, id, file);
  } catch (error) {
    if (isNew) await forgetOrganization(services, id);
    throw error;
  }
};
