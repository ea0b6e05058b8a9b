import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { sql } from 'kysely';
import { buildIdInExpression } from '../../../queries/sql-conditions.ts';
import { parseIdsOfJsonObjects } from '../../../resources/read-gadget-rows.ts';
import type { BridgeServices } from '../../../bridge-services-interface.ts';
import type { GadgetRow, GadgetTriggerRow } from '../../../storage/schema.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';

type ReferenceContext = Pick<WriteContext, 'db' | 'organizationId'>;
type Engine = BridgeServices['storage']['engine'];

export interface ReferencedGadget extends Pick<GadgetRow, 'id' | 'device_id' | 'site_id'> {
  readonly actionIds: readonly string[];
}

export interface ReferencedMember {
  readonly id: string;
  /** All groups that the member was ever in, because events arrive late. */
  readonly groups: ReadonlySet<string>;
}

/** What the events name, as the organization has it, deleted or not. */
export interface EventReferences {
  readonly gadgets: ReadonlyMap<string, ReferencedGadget>;
  /** The gadgets at both ends of a trigger. */
  readonly triggers: ReadonlyMap<string, readonly string[]>;
  readonly members: ReadonlyMap<string, ReferencedMember>;
  /** The member that each credential belongs to. */
  readonly credentials: ReadonlyMap<string, string>;
}

const credentialTables = {
  member_email_id: 'member_emails',
  member_magic_link_id: 'member_magic_links',
  member_pin_id: 'member_pins',
  member_card_id: 'member_cards',
  member_token_id: 'member_tokens',
} as const;
export type CredentialField = keyof typeof credentialTables;
export const credentialFields = Object.keys(credentialTables) as CredentialField[];

const distinct = (ids: readonly (string | null | undefined)[]): string[] => [...new Set(ids.filter(id => id != null))];

/** Filters by organization in memory: in the query, the condition would make the database scan all its rows. */
const selectByIds = async <R extends { readonly organization_id: string }>(
  { db, organizationId }: ReferenceContext,
  engine: Engine,
  { table, columns, by = 'id' }: { readonly table: string; readonly columns: string; readonly by?: string },
  ids: readonly string[],
): Promise<R[]> => {
  if (ids.length === 0) return [];
  const isListed = buildIdInExpression(engine, sql`t.${sql.id(by)}`, ids);
  const { rows } = await sql<R>`select t.organization_id, ${sql.raw(columns)} from ${sql.table(table)} as t
    where ${isListed}`.execute(db);
  return rows.filter(row => row.organization_id === organizationId);
};

interface OwnedRow {
  readonly id: string;
  readonly organization_id: string;
}

const loadTriggers = async (context: ReferenceContext, engine: Engine, ids: readonly string[]) => {
  type Row = OwnedRow & Pick<GadgetTriggerRow, 'source_gadget_id' | 'target_gadget_id'>;
  const columns = 't.id, t.source_gadget_id, t.target_gadget_id';
  const rows = await selectByIds<Row>(context, engine, { table: 'gadget_triggers', columns }, ids);
  return new Map(rows.map(row => [row.id, distinct([row.source_gadget_id, row.target_gadget_id])]));
};

const loadGadgets = async (context: ReferenceContext, engine: Engine, ids: readonly string[]) => {
  type Row = OwnedRow & Pick<GadgetRow, 'device_id' | 'site_id' | 'actions'>;
  const columns = 't.id, t.device_id, t.site_id, t.actions';
  const rows = await selectByIds<Row>(context, engine, { table: 'gadgets', columns }, ids);
  return new Map(
    rows.map(({ id, device_id, site_id, actions }) => [
      id,
      { id, device_id, site_id, actionIds: parseIdsOfJsonObjects(actions) },
    ]),
  );
};

const loadMembers = async (context: ReferenceContext, engine: Engine, ids: readonly string[]) => {
  const known = await selectByIds<OwnedRow>(context, engine, { table: 'members', columns: 't.id' }, ids);
  const associations = await selectByIds<OwnedRow & { readonly member_id: string; readonly member_group_id: string }>(
    context,
    engine,
    { table: 'member_group_associations', columns: 't.member_id, t.member_group_id', by: 'member_id' },
    known.map(({ id }) => id),
  );
  const groups = Map.groupBy(associations, ({ member_id }) => member_id);
  return new Map(
    known.map(({ id }) => [
      id,
      { id, groups: new Set((groups.get(id) ?? []).map(({ member_group_id }) => member_group_id)) },
    ]),
  );
};

const loadCredentials = async (context: ReferenceContext, engine: Engine, events: readonly DeviceEvent[]) => {
  const owners = new Map<string, string>();
  for (const field of credentialFields) {
    const table = credentialTables[field];
    const ids = distinct(events.map(({ subject }) => subject?.[field]));
    const columns = 't.id, t.member_id';
    const rows = await selectByIds<OwnedRow & { readonly member_id: string }>(context, engine, { table, columns }, ids);
    for (const { id, member_id } of rows) owners.set(id, member_id);
  }
  return owners;
};

export const loadEventReferences = async (
  context: ReferenceContext,
  engine: Engine,
  events: readonly DeviceEvent[],
): Promise<EventReferences> => {
  const triggers = await loadTriggers(context, engine, distinct(events.map(event => event.gadget_trigger_id)));
  const gadgetIds = distinct([...events.map(({ gadget_id }) => gadget_id), ...[...triggers.values()].flat()]);
  return {
    triggers,
    gadgets: await loadGadgets(context, engine, gadgetIds),
    members: await loadMembers(context, engine, distinct(events.map(({ subject }) => subject?.member_id))),
    credentials: await loadCredentials(context, engine, events),
  };
};
