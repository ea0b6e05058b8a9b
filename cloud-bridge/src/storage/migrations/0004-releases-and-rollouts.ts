import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Releases, roll-outs and their progress per controller. */
export const createUpdateTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'releases',
    {
      id: 'text',
      organization_id: 'text',
      program: 'text',
      version: 'text',
      arch: 'text',
      size: 'int',
      sha256: 'text',
      key_id: 'text',
      minimum_version: 'text?',
      allow_downgrade: 'flag',
      made_at: 'int',
      created_at: 'int',
      is_deleted: 'flag',
    },
    'id',
  );
  await createIndex(context, 'releases_by_digest', 'releases (organization_id, sha256)', { unique: true });
  await createTable(
    context,
    'rollouts',
    {
      id: 'text',
      organization_id: 'text',
      release_id: 'text',
      state: 'text',
      reason: 'text?',
      stages: 'text',
      stage: 'int',
      stage_passed_at: 'int?',
      halt_after_failures: 'int',
      forgiven_failures: 'int',
      rate: 'int',
      switch_within_s: 'int',
      created_at: 'int',
      finished_at: 'int?',
    },
    'id',
  );
  await createIndex(context, 'rollouts_by_organization', 'rollouts (organization_id, id)');
  await createIndex(context, 'rollouts_by_state', 'rollouts (state)');
  await createTable(
    context,
    'rollout_devices',
    {
      rollout_id: 'text',
      device_id: 'text',
      organization_id: 'text',
      stage: 'int',
      state: 'text',
      percent: 'int?',
      reason: 'text?',
      from_version: 'text?',
      running_version: 'text?',
      told_at: 'int?',
      updated_at: 'int',
    },
    'rollout_id, device_id',
  );
  await createIndex(context, 'rollout_devices_by_device', 'rollout_devices (device_id)');
};
