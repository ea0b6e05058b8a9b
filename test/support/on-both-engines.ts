import type { BridgeOptions } from '@lintel/cloud-bridge/main';
import { afterAll, beforeAll, describe } from 'vitest';
import { BridgeWorld } from './bridge-world.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** The same suite on SQLite and on a real PostgreSQL. */
export const onBothEngines = (
  name: string,
  suite: (world: () => BridgeWorld) => void,
  options: Partial<BridgeOptions> = {},
): void => {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, engine => {
    let postgres: PostgresServer | undefined;
    let world: BridgeWorld;
    beforeAll(async () => {
      postgres = engine === 'postgres' ? await startPostgres() : undefined;
      world = await BridgeWorld.open({ postgres, ...options });
    }, 60_000);
    afterAll(async () => {
      await world.close();
      await postgres?.stop();
    });
    suite(() => world);
  });
};
