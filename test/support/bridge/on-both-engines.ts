import type { BridgeOptions } from '@lintel/cloud-bridge/main';
import { afterAll, beforeAll, describe } from 'vitest';
import { BridgeWorld } from './bridge-world.ts';

/** The same suite on SQLite and on a real PostgreSQL. */
export const onBothEngines = (
  name: string,
  suite: (world: () => BridgeWorld) => void,
  options: Partial<BridgeOptions> = {},
): void => {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, engine => {
    let world: BridgeWorld;
    beforeAll(async () => {
      world = await BridgeWorld.open({ engine, ...options });
    }, 60_000);
    afterAll(async () => {
      await world.close();
    });
    suite(() => world);
  });
};
