import type { BridgeOptions } from '@lintel/cloud-bridge/main';
import { afterAll, beforeAll, describe } from 'vitest';
import { type TestDatabaseEngine, TestBridge } from './test-bridge.ts';

/** `slow`: the suite runs on PostgreSQL with `npm run test:all` only. */
type PostgresTags = readonly 'slow'[];

/** Runs a suite on SQLite and on a real PostgreSQL, each with one fixture for all tests of the suite. */
export const describePerDatabase = <F extends { close(): Promise<void> }>(
  name: string,
  open: (engine: TestDatabaseEngine) => Promise<F>,
  suite: (fixture: () => F) => void,
  postgresTags: PostgresTags = [],
): void => {
  for (const engine of ['sqlite', 'postgres'] as const)
    describe(`${name} (${engine})`, { tags: engine === 'postgres' ? [...postgresTags] : [] }, () => {
      let fixture: F;
      beforeAll(async () => {
        fixture = await open(engine);
      });
      afterAll(() => fixture.close());
      suite(() => fixture);
    });
};

export const describeOnBothDatabases = (
  name: string,
  suite: (bridge: () => TestBridge) => void,
  options: Partial<BridgeOptions> = {},
  postgresTags: PostgresTags = [],
): void => describePerDatabase(name, engine => TestBridge.open({ engine, ...options }), suite, postgresTags);

/** Like `describeOnBothDatabases`; on PostgreSQL with `npm run test:all` only. */
export const describeOnSqliteFirst = (
  name: string,
  suite: (bridge: () => TestBridge) => void,
  options: Partial<BridgeOptions> = {},
): void => describeOnBothDatabases(name, suite, options, ['slow']);
