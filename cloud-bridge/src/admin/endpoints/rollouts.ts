import { instant } from '@lintel/access-core/instant';
import {
  type RolloutResponse,
  rolloutResponseSchema,
  createRolloutRequestSchema,
  rolloutDetailResponseSchema,
  type RolloutDevice,
} from '@lintel/wire-protocol/admin/rollout';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import * as z from 'zod';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { RolloutRow } from '../../storage/release-and-rollout-schema.ts';
import { createRollout, changeRolloutState } from '../../updates/create-or-change-rollout.ts';

type RolloutWithRelease = RolloutRow & { readonly program: string; readonly version: string };

const rolloutsOf = ({ storage }: BridgeServices, organizationId: string) =>
  storage.reader
    .selectFrom('rollouts as r')
    .innerJoin('releases as e', 'e.id', 'r.release_id')
    .selectAll('r')
    .select(['e.program', 'e.version'])
    .where('r.organization_id', '=', organizationId);

const progressOf = async ({ storage }: BridgeServices, rolloutIds: readonly string[]) => {
  const rows =
    rolloutIds.length === 0
      ? []
      : await storage.reader
          .selectFrom('rollout_devices')
          .select(({ fn }) => ['rollout_id', 'state', fn.countAll<number>().as('count')])
          .where('rollout_id', 'in', rolloutIds)
          .groupBy(['rollout_id', 'state'])
          .execute();
  return Map.groupBy(rows, ({ rollout_id }) => rollout_id);
};

type Progress = Awaited<ReturnType<typeof progressOf>>;

const toResponse = (row: RolloutWithRelease, progress: Progress): RolloutResponse => {
  const { stage_passed_at: _, forgiven_failures: __, ...shown } = row;
  return {
    ...shown,
    id: row.id as RolloutResponse['id'],
    organization_id: row.organization_id as RolloutResponse['organization_id'],
    release_id: row.release_id as RolloutResponse['release_id'],
    stages: JSON.parse(row.stages) as RolloutResponse['stages'],
    progress: Object.fromEntries((progress.get(row.id) ?? []).map(({ state, count }) => [state, count])),
    created_at: toDateTime(instant(row.created_at)),
    finished_at: toDateTimeOrNull(row.finished_at),
  };
};

const devicesOf = async ({ storage }: BridgeServices, rolloutId: string): Promise<RolloutDevice[]> => {
  const rows = await storage.reader
    .selectFrom('rollout_devices as d')
    .leftJoin('device_links as l', 'l.device_id', 'd.device_id')
    .select(['d.device_id', 'd.stage', 'd.state', 'd.percent', 'd.reason', 'd.from_version', 'd.running_version'])
    .select(['d.updated_at', 'l.session_nonce'])
    .where('d.rollout_id', '=', rolloutId)
    .orderBy('d.stage')
    .orderBy('d.device_id')
    .execute();
  return rows.map(({ session_nonce, updated_at, device_id, ...row }) => ({
    ...row,
    device_id: device_id as RolloutDevice['device_id'],
    online: session_nonce !== null,
    updated_at: toDateTime(instant(updated_at)),
  }));
};

const detailOf = async (services: BridgeServices, organizationId: string, id: string) => {
  const row = await rolloutsOf(services, organizationId).where('r.id', '=', id).executeTakeFirst();
  if (row === undefined) throw createNotFoundError('roll-out', id);
  return { ...toResponse(row, await progressOf(services, [id])), devices: await devicesOf(services, id) };
};

const transitions = [
  { name: 'pause', to: 'paused', summary: 'Pause a roll-out; devices that have already started finish their update' },
  { name: 'resume', to: 'running', summary: 'Resume a roll-out, also after it was halted by failures' },
  { name: 'cancel', to: 'cancelled', summary: 'Cancel a roll-out; devices that have not switched yet stop updating' },
] as const;

export const createRolloutEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  const list = `${ORGANIZATION_PATH_PREFIX}/rollouts`;
  const common = { tag: 'Updates', response: rolloutDetailResponseSchema } as const;
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'updates.read',
      path: list,
      summary: 'List roll-outs',
      response: rolloutResponseSchema,
      name: 'rollouts',
      read: async ({ organizationId }, page) => {
        const rows = await fetchPageRows(rolloutsOf(services, organizationId), 'r.id', page);
        const ids = rows.map(({ id }) => id);
        const progress = await progressOf(services, ids);
        return rows.map(row => toResponse(row, progress));
      },
      idOf: ({ id }) => id,
      toObject: response => response,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'updates.write',
      method: 'POST',
      path: list,
      summary: 'Roll out a release in stages, to some devices, to a site or to all devices',
      body: createRolloutRequestSchema,
      managesOwnTransaction: true,
      handle: async call => {
        const { id } = await writeAsCaller(call, context => createRollout(context, call.body));
        return detailOf(services, call.caller.organizationId, id);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'updates.read',
      method: 'GET',
      path: `${list}/:rollout_id`,
      summary: 'Get a roll-out with the progress of each device',
      handle: ({ caller, params: { rollout_id: id = '' } }) => detailOf(services, caller.organizationId, id),
    }),
    ...transitions.map(({ name, to, summary }) =>
      defineAdminEndpoint({
        ...common,
        requiredPermission: 'updates.write',
        method: 'POST',
        path: `${list}/:rollout_id/${name}`,
        operationId: `${name}Rollout`,
        summary,
        body: z.strictObject({}),
        managesOwnTransaction: true,
        handle: async call => {
          const { rollout_id: id = '' } = call.params;
          await writeAsCaller(call, context => changeRolloutState(context, id, to));
          return detailOf(services, call.caller.organizationId, id);
        },
      }),
    ),
  ];
};
