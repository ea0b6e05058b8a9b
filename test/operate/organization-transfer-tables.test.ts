import { describe, expect, it } from 'vitest';
import { tablesExcludedFromTransfer, transferredTables } from '@lintel/cloud-bridge/testing';
import { TestBridge } from '../support/bridge/test-bridge.ts';

/** Tables whose rows have an organization and stay behind nevertheless. */
const leftBehind = ['guest_sessions', 'idempotency_keys', 'pin_prefixes', 'releases', 'rollout_devices', 'rollouts'];

describe.each(['sqlite', 'postgres'] as const)('tables of an exported organization (%s)', engine => {
  it('are all tables of the database, except those that are listed as excluded', async () => {
    const bridge = await TestBridge.open({ engine });
    try {
      const found = await bridge.services.storage.reader.introspection.getTables();
      const tables = found.filter(({ name }) => name !== 'schema_migrations' && !name.startsWith('events_'));
      const transferred = transferredTables.map(([name]) => name as string);
      expect(tables.map(({ name }) => name).toSorted()).toEqual(
        [...transferred, ...tablesExcludedFromTransfer].toSorted(),
      );
      const excluded = tables.filter(
        ({ name, columns }) => !transferred.includes(name) && columns.some(column => column.name === 'organization_id'),
      );
      expect(excluded.map(({ name }) => name).toSorted()).toEqual(leftBehind);
    } finally {
      await bridge.close();
    }
  });
});
