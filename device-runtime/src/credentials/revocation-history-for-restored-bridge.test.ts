import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteRevocationHistory } from './revocation-history-for-restored-bridge.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-history-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const withHistory = <T>(use: (history: SqliteRevocationHistory) => T): T => {
  const history = new SqliteRevocationHistory(join(folder, 'revocations.db'));
  try {
    return use(history);
  } finally {
    history.close();
  }
};

const listOf = (organizationId: string): string[] =>
  withHistory(history => history.list(organizationId).map(frame => Buffer.from(frame).toString()));

describe('SqliteRevocationHistory', () => {
  it('keeps each frame once, for each organization, the newest first', () => {
    withHistory(history => {
      for (const frame of ['1', '2', '1']) history.add('org_a', Buffer.from(frame));
      history.add('org_b', Buffer.from('3'));
    });
    expect([listOf('org_a'), listOf('org_b'), listOf('org_c')]).toEqual([['2', '1'], ['3'], []]);
  });

  it('lists only as many as fit into a message', () => {
    withHistory(history => {
      for (let index = 0; index < 7; index++) history.add('org_a', Buffer.alloc(100_000, index));
    });
    expect(listOf('org_a')).toHaveLength(6);
  });

  it('keeps its write-ahead log small', () => {
    withHistory(history => {
      for (let index = 0; index < 300; index++) history.add('org_a', Buffer.alloc(400, String(index)));
      expect(statSync(join(folder, 'revocations.db-wal')).size).toBeLessThan(1_000_000);
    });
  });

  it('forgets the frames of an earlier owner, also in the files', () => {
    withHistory(history => {
      history.add('org_a', Buffer.from('revocation of mem_earlier'));
      history.add('org_b', Buffer.from('revocation of mem_later'));
      history.keepOnly('org_b');
    });
    expect([listOf('org_a'), listOf('org_b')]).toEqual([[], ['revocation of mem_later']]);
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file)).includes('mem_earlier')).toBe(false);
  });

  it('starts over with a damaged file', () => {
    writeFileSync(join(folder, 'revocations.db'), 'no database'.repeat(1_000));
    withHistory(history => history.add('org_a', Buffer.from('1')));
    expect(listOf('org_a')).toEqual(['1']);
  });
});
