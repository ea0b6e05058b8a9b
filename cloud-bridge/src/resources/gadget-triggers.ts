import type { GadgetId, ScheduleId, SiteId } from '@lintel/access-core/ids';
import {
  parseTriggerDefinition,
  type TriggerGadget,
  type TriggerLookups,
} from '@lintel/access-core/triggers/gadget-trigger';
import type { CreateGadgetTriggerRequest, EditGadgetTriggerRequest } from '@lintel/wire-protocol/rest/gadget-trigger';
import { unwrapOrThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow, GadgetTriggerRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { findRow, requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { parseIdsOfJsonObjects } from './read-gadget-rows.ts';
import { findLocalReachabilityProblem } from './find-local-reachability-problem.ts';

const sourceColumns = [
  'source_gadget_id',
  'source_state_id',
  'source_signal_id',
  'source_schedule_id',
  'source_schedule_event',
] as const;

const definitionColumns = ['source_type', ...sourceColumns, 'target_gadget_id', 'target_action_id'] as const;

type DefinitionColumn = (typeof definitionColumns)[number];
type Definition = Readonly<Partial<Record<DefinitionColumn, string | null | undefined>>>;
type TriggerColumns = Pick<GadgetTriggerRow, DefinitionColumn | 'site_id'>;

const triggers = new ResourceWriter('gadget_trigger', 'gadget_triggers', { references: ['site_id'] });

const triggerGadget = (row: GadgetRow): TriggerGadget => ({
  site_id: row.site_id as SiteId,
  action_ids: parseIdsOfJsonObjects(row.actions),
  state_ids: parseIdsOfJsonObjects(row.states),
  signal_ids: parseIdsOfJsonObjects(row.signals),
});

const lookupsFor = async (context: WriteContext, definition: Definition): Promise<TriggerLookups> => {
  const gadgets = new Map<string, GadgetRow>();
  const devices: DeviceRow[] = [];
  for (const id of [definition.source_gadget_id, definition.target_gadget_id]) {
    const gadget = id == null ? undefined : await findRow(context, 'gadgets', id);
    if (gadget === undefined || gadget.is_deleted === 1) continue;
    gadgets.set(gadget.id, gadget);
    devices.push(await requireRow(context, 'devices', 'device', gadget.device_id));
  }
  const [source, target] = devices;
  const pathProblem =
    source === undefined || target === undefined ? null : await findLocalReachabilityProblem(context, source, target);
  const schedule =
    definition.source_schedule_id == null
      ? undefined
      : await findRow(context, 'schedules', definition.source_schedule_id);
  return {
    gadget: (id: GadgetId) => {
      const row = gadgets.get(id);
      return row === undefined ? undefined : triggerGadget(row);
    },
    hasSchedule: (id: ScheduleId) => schedule?.id === id && schedule.is_deleted === 0,
    localPathProblem: () => pathProblem,
  };
};

const pickDefinition = (fields: Definition): Definition =>
  Object.fromEntries(definitionColumns.map(column => [column, fields[column] ?? null]));

const checkDefinition = async (context: WriteContext, given: Definition): Promise<TriggerColumns> => {
  const definition = pickDefinition(given);
  const { site_id } = unwrapOrThrow(parseTriggerDefinition(definition, await lookupsFor(context, definition)));
  return { ...(definition as TriggerColumns), site_id };
};

export const createGadgetTrigger = async (
  context: WriteContext,
  body: CreateGadgetTriggerRequest,
): Promise<GadgetTriggerRow> => {
  const { metadata, ...definition } = body;
  return triggers.create(context, { metadata }, await checkDefinition(context, definition));
};

/** A new source type resets the fields of the old source. */
const mergeDefinition = (row: GadgetTriggerRow, given: Definition): Definition => {
  const sameSource = given.source_type === undefined || given.source_type === row.source_type;
  const { source_type, source_gadget_id, target_gadget_id, target_action_id } = row;
  const keptGadget = given.source_type === 'schedule' ? {} : { source_gadget_id };
  return { ...(sameSource ? row : { source_type, ...keptGadget, target_gadget_id, target_action_id }), ...given };
};

export const editGadgetTrigger = async (
  context: WriteContext,
  id: string,
  body: EditGadgetTriggerRequest,
): Promise<GadgetTriggerRow> => {
  const row = await triggers.requireActive(context, id);
  const { metadata, ...definition } = body;
  const isRedefined = definitionColumns.some(column => definition[column] !== undefined);
  const changes = isRedefined ? await checkDefinition(context, mergeDefinition(row, definition)) : {};
  return triggers.edit(context, row, { metadata }, changes);
};

export const deleteGadgetTrigger = (context: WriteContext, id: string): Promise<GadgetTriggerRow> =>
  triggers.delete(context, id);

/** It stays deleted if its gadgets or its schedule do not exist any more. */
export const undeleteGadgetTrigger = async (context: WriteContext, id: string): Promise<void> => {
  const row = await findRow(context, 'gadget_triggers', id);
  if (row?.is_deleted !== 1) return;
  const definition = pickDefinition(row);
  if (!parseTriggerDefinition(definition, await lookupsFor(context, definition)).ok) return;
  await triggers.edit(context, row, {}, { is_deleted: 0 });
};
