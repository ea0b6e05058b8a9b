import { randomBytes } from 'node:crypto';
import type { TestBridge, TestOrganizationClient } from './test-bridge.ts';

/** Inserts a release without its file, and a paused roll-out of that release. Returns their ids. */
export const createPausedRollout = async (
  bridge: TestBridge,
  { organizationId }: TestOrganizationClient,
): Promise<readonly string[]> => {
  const { storage, newId } = bridge.services;
  const [release_id, organization_id] = [newId('release'), organizationId];
  const release = {
    id: release_id,
    organization_id,
    program: 'controller',
    version: '1.1.0',
    arch: 'arm64',
    size: 1,
    sha256: randomBytes(32).toString('hex'),
    key_id: '0'.repeat(16),
    minimum_version: null,
    allow_downgrade: 0,
    made_at: bridge.now,
    created_at: bridge.now,
    is_deleted: 0,
  } as const;
  await storage.writer.insertInto('releases').values(release).execute();
  const rolloutId = newId('rollout');
  const rollout = {
    id: rolloutId,
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
    created_at: bridge.now,
    finished_at: null,
  };
  await storage.writer.insertInto('rollouts').values(rollout).execute();
  return [release_id, rolloutId];
};
