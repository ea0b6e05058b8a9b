import { join } from 'node:path';
import { readBuiltPage } from '@lintel/cloud-bridge/pages/built-page';
import { portLike } from '../processes/free-port.ts';
import { ScenarioPlayer } from './scenario-player.ts';
import { SimulatorServer } from './simulator-server.ts';
import { LiveAudience } from '../world/live-audience.ts';
import { Demo } from '../demo/demo.ts';
import { writeInstanceLock } from '../demo/instance-lock.ts';
import { addressesOf, welcome } from '../demo/welcome.ts';

const home = join(import.meta.dirname, '../../..');
const pageFile = join(home, 'console/dist/simulator.html');

export interface ServeOptions {
  readonly dataDir: string;
  readonly ports: { readonly page: number; readonly http: number; readonly mqtt: number };
  readonly say: (line: string) => void;
}

/** A clone has the page's sources only. Without it everything else works. */
const buildPage = async (say: (line: string) => void): Promise<void> => {
  try {
    await readBuiltPage('simulator.html');
  } catch (error) {
    say(`The page could not be built: ${(error as Error).message}`);
  }
};

/** The demonstration and its page. */
export const serveDemo = async ({ dataDir, ports, say }: ServeOptions) => {
  const audience = new LiveAudience();
  const [httpPort, mqttPort, pagePort] = await Promise.all([
    portLike(ports.http, 'the API', say),
    portLike(ports.mqtt, 'MQTT', say),
    portLike(ports.page, 'the page', say),
  ]);
  const [demo] = await Promise.all([
    Demo.start({ dataDir, httpPort, mqttPort, tell: message => audience.tell(message) }),
    buildPage(say),
  ]);
  const player = new ScenarioPlayer(join(home, 'simulator/scenarios'), run => audience.tell({ type: 'run', run }));
  const server = await SimulatorServer.listen(pagePort, { demo, player, audience, pageFile });
  const removeLock = writeInstanceLock(dataDir, server.url);
  return {
    addresses: () => addressesOf(demo.addresses, server.url),
    welcome: (shownDir: string) => welcome(demo.addresses, server.url, shownDir),
    broken: demo.broken,
    stop: async (): Promise<void> => {
      removeLock();
      await Promise.all([server.close(), demo.stop()]);
    },
  };
};
