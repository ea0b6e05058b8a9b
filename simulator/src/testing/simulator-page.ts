import { LiveBroadcaster } from '../demo-server/live-broadcaster.ts';
import { OneTimeToken } from '../demo-server/one-time-token.ts';
import { SimulatorServer } from '../demo-server/simulator-server.ts';

/** Serves the simulator page with a fixed state of the building, without a demo. */
export const serveSimulatorPage = (pageFile: string, world: object): Promise<SimulatorServer> => {
  const demo = { world: () => world } as never;
  const player = { scenarios: [], runs: () => [] } as never;
  const parts = { broadcaster: new LiveBroadcaster(), consoleToken: new OneTimeToken() };
  return SimulatorServer.listen(0, { demo, player, pageFile, ...parts });
};
