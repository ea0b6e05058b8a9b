import { join } from 'node:path';
import { readUpToDateConsolePage } from '@lintel/cloud-bridge/pages/build-if-outdated-and-read-console-file';
import { choosePreferredPortOrAny } from '../processes/choose-preferred-port.ts';
import { ScenarioPlayer } from './scenario-player.ts';
import { OneTimeToken } from './one-time-token.ts';
import { SimulatorServer } from './simulator-server.ts';
import { LiveBroadcaster } from './live-broadcaster.ts';
import { Demo } from '../demo/demo-orchestrator.ts';
import { writeInstanceLock } from '../demo/instance-lock.ts';
import { buildDemoAddressesJson, createWelcomeText } from '../demo/welcome-text.ts';

const home = join(import.meta.dirname, '../../..');
const pageFile = join(home, 'console/dist/simulator.html');

export interface ServeDemoOptions {
  readonly dataDir: string;
  readonly ports: { readonly page: number; readonly http: number; readonly mqtt: number };
  readonly print: (line: string) => void;
}

/** Builds the page if necessary. A failure does not stop the demo. */
const buildPage = async (print: (line: string) => void): Promise<void> => {
  try {
    await readUpToDateConsolePage('simulator.html');
  } catch (error) {
    print(`The simulator page could not be built: ${(error as Error).message}`);
  }
};

/** Starts the demo and serves its page. */
export const serveDemo = async ({ dataDir, ports, print }: ServeDemoOptions) => {
  const broadcaster = new LiveBroadcaster();
  const [httpPort, mqttPort, pagePort] = await Promise.all([
    choosePreferredPortOrAny(ports.http, 'the API', print),
    choosePreferredPortOrAny(ports.mqtt, 'MQTT', print),
    choosePreferredPortOrAny(ports.page, 'the page', print),
  ]);
  const [demo] = await Promise.all([
    Demo.start({ dataDir, httpPort, mqttPort, broadcast: message => broadcaster.broadcast(message) }),
    buildPage(print),
  ]);
  const player = new ScenarioPlayer(join(home, 'simulator/scenarios'), run =>
    broadcaster.broadcast({ type: 'run', run }),
  );
  const consoleToken = new OneTimeToken();
  const server = await SimulatorServer.listen(pagePort, { demo, player, broadcaster, consoleToken, pageFile });
  const consoleUrl = `${server.url}/console/${consoleToken.text}`;
  const removeLock = writeInstanceLock(dataDir, server.url);
  return {
    pageUrl: server.url,
    addresses: () => buildDemoAddressesJson({ ...demo.addresses, consoleUrl }, server.url),
    welcome: (shownDir: string) => createWelcomeText({ ...demo.addresses, consoleUrl }, server.url, shownDir),
    failure: demo.failure,
    stop: async (): Promise<void> => {
      removeLock();
      await Promise.all([server.close(), demo.stop()]);
    },
  };
};
