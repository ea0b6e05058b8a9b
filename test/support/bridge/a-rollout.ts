import type { BridgeWorld, OrganizationClient } from './bridge-world.ts';

/** A release without its bytes, and a roll-out of it that waits. */
export const aRollout = async (world: BridgeWorld, { organizationId }: OrganizationClient): Promise<void> => {
  const { storage, newId } = world.bridge.services;
  const [release_id, organization_id] = [newId('release'), organizationId];
  const release = {
    id: release_id,
    organization_id,
    program: 'controller',
    version: '1.1.0',
    arch: 'arm64',
    size: 1,
    sha256: '0'.repeat(64),
    key_id: '0'.repeat(16),
    minimum_version: null,
    allow_downgrade: 0,
    made_at: world.now,
    created_at: world.now,
    is_deleted: 0,
  } as const;
  await storage.writer.insertInto('releases').values(release).execute();
  const rollout = {
    id: newId('rollout'),
    organization_id,
    release_id,
    state: 'paused',
    reason: null,
    stages: '[{"devices":1,"wait_s":0}]',
    stage: 0,
    stage_passed_at: null,
    halt_after_failures: 1,
    forgiven_failures: 0,
    rate: 1024,
    switch_within_s: 60,
    created_at: world.now,
    finished_at: null,
  };
  await storage.writer.insertInto('rollouts').values(rollout).execute();
};
