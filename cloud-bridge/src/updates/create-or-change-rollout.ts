import type { CreateRolloutRequest, RolloutState } from '@lintel/wire-protocol/admin/rollout';
import { isGatewayDevice } from '../resources/gateway-and-virtual-devices.ts';
import { ApiError, createInvalidFieldError, checkAll } from '../http/api-error.ts';
import type { RolloutRow } from '../storage/release-and-rollout-schema.ts';
import {
  insertRow,
  requireReferencedRow,
  requireReferencedRows,
  requireRow,
  updateRow,
} from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { findRolloutStageIndex, computeRolloutStages } from './rollout-plan.ts';

interface Target {
  readonly id: string;
  readonly firmware: string | null;
}

/** The program that a device runs. A release contains one program. */
const programOf = (device: { readonly product_id: string }): string =>
  isGatewayDevice(device) ? 'gateway' : 'controller';

/** Claimed devices that run the program of the release, ordered by id. */
const targetsOf = async (
  context: WriteContext,
  { device_ids, site_id }: CreateRolloutRequest,
  program: string,
): Promise<Target[]> => {
  if (site_id !== undefined) await requireReferencedRow(context, 'sites', 'site_id', site_id);
  await requireReferencedRows(context, 'devices', 'device_ids', device_ids ?? []);
  let devices = context.db
    .selectFrom('devices as d')
    .innerJoin('device_links as l', 'l.device_id', 'd.id')
    .select(['d.id', 'd.product_id', 'l.firmware'])
    .where('d.organization_id', '=', context.organizationId)
    .where('d.is_deleted', '=', 0)
    .orderBy('d.id');
  if (site_id !== undefined) devices = devices.where('d.site_id', '=', site_id);
  if (device_ids !== undefined) devices = devices.where('d.id', 'in', device_ids);
  const claimed = await devices.execute();
  await checkAll(
    (device_ids ?? []).map((id, index) => () => {
      const device = claimed.find(candidate => candidate.id === id);
      const found = device === undefined ? 'not claimed' : `a ${programOf(device)}`;
      if (device !== undefined && programOf(device) === program) return;
      const message = `refers to the device ${id}, which is ${found}. The release is for a ${program}`;
      throw createInvalidFieldError(`device_ids.${index}`, message, { id });
    }),
  );
  return claimed.filter(device => programOf(device) === program);
};

/** A device can be part of one active roll-out only. */
const rejectBusyDevices = async ({ db, organizationId }: WriteContext, targets: readonly Target[]): Promise<void> => {
  const busy = await db
    .selectFrom('rollout_devices as d')
    .innerJoin('rollouts as r', 'r.id', 'd.rollout_id')
    .select(['d.device_id', 'r.id'])
    .where('r.organization_id', '=', organizationId)
    .where('r.state', 'in', ['running', 'paused', 'halted'])
    .where('d.state', 'not in', ['confirmed', 'rolled_back', 'failed', 'cancelled'])
    .execute();
  const targetIds = new Set(targets.map(({ id }) => id));
  const conflict = busy.find(({ device_id }) => targetIds.has(device_id));
  if (conflict === undefined) return;
  const { device_id, id } = conflict;
  throw createInvalidFieldError(
    'device_ids',
    `refers to the device ${device_id}, which is part of the active roll-out ${id}`,
    {
      id: device_id,
    },
  );
};

export const createRollout = async (context: WriteContext, body: CreateRolloutRequest): Promise<RolloutRow> => {
  const { organizationId: organization_id, now } = context;
  const release = await requireReferencedRow(context, 'releases', 'release_id', body.release_id);
  const targets = await targetsOf(context, body, release.program);
  if (targets.length === 0) throw createInvalidFieldError('device_ids', `refers to no claimed ${release.program}`);
  await rejectBusyDevices(context, targets);
  const stages = computeRolloutStages(body.stages, targets.length);
  const rollout = await insertRow(context, 'rollouts', {
    id: context.newId('rollout'),
    organization_id,
    release_id: release.id,
    state: 'running',
    reason: null,
    stages: JSON.stringify(stages),
    stage: 0,
    stage_passed_at: null,
    halt_after_failures: body.halt_after_failures,
    forgiven_failures: 0,
    rate: body.rate,
    switch_within_s: body.switch_within_s,
    created_at: now,
    finished_at: null,
  });
  for (const [position, { id, firmware }] of targets.entries())
    await insertRow(context, 'rollout_devices', {
      rollout_id: rollout.id,
      device_id: id,
      organization_id,
      stage: findRolloutStageIndex(stages, position),
      state: 'waiting',
      percent: null,
      reason: null,
      from_version: firmware,
      running_version: firmware,
      told_at: null,
      updated_at: now,
    });
  context.log({ verb: 'edit', object: { type: 'organization', organization_id }, reason: 'rollout_created' });
  return rollout;
};

const failuresOf = async ({ db }: WriteContext, rolloutId: string): Promise<number> => {
  const failed = await db
    .selectFrom('rollout_devices')
    .select('device_id')
    .where('rollout_id', '=', rolloutId)
    .where('state', 'in', ['rolled_back', 'failed'])
    .execute();
  return failed.length;
};

const allowedStates: Readonly<Record<'paused' | 'running' | 'cancelled', readonly RolloutState[]>> = {
  paused: ['running'],
  running: ['paused', 'halted'],
  cancelled: ['running', 'paused', 'halted'],
};

const transitionNames = { paused: 'paused', running: 'resumed', cancelled: 'cancelled' } as const;

const transitionErrorMessage = (state: string, to: keyof typeof transitionNames): string => {
  const ended: Partial<Record<string, string>> = { cancelled: 'was cancelled', done: 'has ended' };
  const status = ended[state] ?? `is ${state}`;
  const remedy = to === 'running' ? '. Create a new roll-out for the remaining devices' : '';
  return `The roll-out ${status} and cannot be ${transitionNames[to]}${remedy}`;
};

/** Resuming after a halt ignores the failures so far. */
export const changeRolloutState = async (
  context: WriteContext,
  id: string,
  to: 'paused' | 'running' | 'cancelled',
): Promise<RolloutRow> => {
  const row = await requireRow(context, 'rollouts', 'roll-out', id);
  if (row.state === to) return row;
  if (!(allowedStates[to] as readonly string[]).includes(row.state))
    throw new ApiError('invalid_request', transitionErrorMessage(row.state, to), { state: row.state });
  const { organizationId: organization_id, now, db } = context;
  context.log({ verb: 'edit', object: { type: 'organization', organization_id }, reason: `rollout_${to}` });
  if (to === 'cancelled')
    await db
      .updateTable('rollout_devices')
      .set({ state: 'cancelled', updated_at: now })
      .where('rollout_id', '=', id)
      .where('state', 'in', ['waiting', 'told', 'downloading', 'ready'])
      .execute();
  if (to === 'running' && row.state === 'halted')
    // Devices that reported the cancellation after the halt receive the install message again.
    await db
      .updateTable('rollout_devices')
      .set({ state: 'waiting', updated_at: now })
      .where('rollout_id', '=', id)
      .where('state', '=', 'cancelled')
      .execute();
  const forgiven_failures = to === 'running' ? await failuresOf(context, id) : row.forgiven_failures;
  const finished_at = to === 'cancelled' ? now : null;
  return updateRow(context, 'rollouts', row, { state: to, reason: null, forgiven_failures, finished_at });
};
