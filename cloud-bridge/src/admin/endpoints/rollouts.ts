import { instant } from '@lintel/access-core/instant';
import {
  type RolloutAnswer,
  rolloutAnswer,
  rolloutCreate,
  rolloutDetail,
  type RolloutDevice,
} from '@lintel/wire-protocol/admin/rollout';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import * as z from 'zod';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { adminList, pageRows } from '../paging.ts';
import { notFound } from '../../http/api-error.ts';
import { writeFor } from '../../api/endpoint.ts';
import type { Services } from '../../services.ts';
import type { RolloutRow } from '../../storage/update-schema.ts';
import { createRollout, turnRollout } from '../../updates/rollout-resource.ts';

type Known = RolloutRow & { readonly program: string; readonly version: string };

const rolloutsOf = ({ storage }: Services, organizationId: string) =>
  storage.reader
    .selectFrom('rollouts as r')
    .innerJoin('releases as e', 'e.id', 'r.release_id')
    .selectAll('r')
    .select(['e.program', 'e.version'])
    .where('r.organization_id', '=', organizationId);

const progressOf = async ({ storage }: Services, rolloutIds: readonly string[]) => {
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

const answerOf = (row: Known, progress: Progress): RolloutAnswer => {
  const { stage_passed_at: _, forgiven_failures: __, ...shown } = row;
  return {
    ...shown,
    id: row.id as RolloutAnswer['id'],
    organization_id: row.organization_id as RolloutAnswer['organization_id'],
    release_id: row.release_id as RolloutAnswer['release_id'],
    stages: JSON.parse(row.stages) as RolloutAnswer['stages'],
    progress: Object.fromEntries((progress.get(row.id) ?? []).map(({ state, count }) => [state, count])),
    created_at: dateTimeOf(instant(row.created_at)),
    finished_at: row.finished_at === null ? null : dateTimeOf(instant(row.finished_at)),
  };
};

const devicesOf = async ({ storage }: Services, rolloutId: string): Promise<RolloutDevice[]> => {
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
    updated_at: dateTimeOf(instant(updated_at)),
  }));
};

const detailOf = async (services: Services, organizationId: string, id: string) => {
  const row = await rolloutsOf(services, organizationId).where('r.id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('roll-out', id);
  return { ...answerOf(row, await progressOf(services, [id])), devices: await devicesOf(services, id) };
};

const turns = [
  { name: 'pause', to: 'paused', summary: 'Tell nobody else for now; who was told goes on' },
  { name: 'resume', to: 'running', summary: 'Go on, also after too many have failed' },
  { name: 'cancel', to: 'cancelled', summary: 'Call back whoever has not switched yet' },
] as const;

export const rolloutEndpoints = (services: Services): AdminEndpoint[] => {
  const list = `${ORGANIZATION}/rollouts`;
  const common = { tag: 'Updates', answer: rolloutDetail } as const;
  return [
    adminList({
      ...common,
      needs: 'updates.read',
      path: list,
      summary: 'List roll-outs',
      answer: rolloutAnswer,
      name: 'rollouts',
      read: async ({ organizationId }, page) => {
        const rows = await pageRows(rolloutsOf(services, organizationId), 'r.id', page);
        const ids = rows.map(({ id }) => id);
        const progress = await progressOf(services, ids);
        return rows.map(row => answerOf(row, progress));
      },
      idOf: ({ id }) => id,
      toObject: answer => answer,
    }),
    adminEndpoint({
      ...common,
      needs: 'updates.write',
      method: 'POST',
      path: list,
      summary: 'Roll a release out, to some devices, a site or all, in stages',
      body: rolloutCreate,
      commitsByItself: true,
      handle: async call => {
        const { id } = await writeFor(call, context => createRollout(context, call.body));
        return detailOf(services, call.caller.organizationId, id);
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'updates.read',
      method: 'GET',
      path: `${list}/:rollout_id`,
      summary: 'Get a roll-out with the progress of every device',
      handle: ({ caller, params: { rollout_id: id = '' } }) => detailOf(services, caller.organizationId, id),
    }),
    ...turns.map(({ name, to, summary }) =>
      adminEndpoint({
        ...common,
        needs: 'updates.write',
        method: 'POST',
        path: `${list}/:rollout_id/${name}`,
        summary,
        body: z.strictObject({}),
        commitsByItself: true,
        handle: async call => {
          const { rollout_id: id = '' } = call.params;
          await writeFor(call, context => turnRollout(context, id, to));
          return detailOf(services, call.caller.organizationId, id);
        },
      }),
    ),
  ];
};
