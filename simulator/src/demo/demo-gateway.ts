import { join } from 'node:path';
import { MembershipFile } from '@lintel/device-link/identity/membership';
import type { StatusDocument } from '@lintel/gateway/status/status-document';
import type { GatewayState } from '@lintel/wire-protocol/simulator/controller-state';
import { PartProcess, runToEnd } from '../processes/part-process.ts';

const LOOK_MS = 1000;
const TIMEOUT_MS = 3000;

interface GatewayReady {
  readonly mqtt: string;
  readonly status: string;
  readonly device_id: string;
}

export interface DemoGatewayOptions {
  readonly dataDir: string;
  readonly logs: string;
  readonly bridgeUrl: string;
  readonly upstreamUrl: string;
  /** A claim code for a gateway that is not claimed yet. */
  readonly claimCode: () => Promise<string>;
  /** Controllers by their device ids. */
  readonly keys: ReadonlyMap<string, string>;
  readonly changed: (state: GatewayState) => void;
}

const profile = join(import.meta.dirname, '../../../hardware-profiles/profiles/gateway.json');

/** The gateway process and its state by its status page. */
export class DemoGateway {
  readonly mqttPort: number;
  readonly #options: DemoGatewayOptions;
  readonly #process: PartProcess;
  readonly #ready: GatewayReady;
  #state: GatewayState;
  #looking: NodeJS.Timeout | undefined;

  private constructor(options: DemoGatewayOptions, process: PartProcess, ready: GatewayReady) {
    this.#options = options;
    this.#process = process;
    this.#ready = ready;
    this.mqttPort = Number(new URL(ready.mqtt).port);
    this.#state = {
      name: 'Gateway',
      device_id: ready.device_id,
      page: ready.status,
      is_connected: false,
      waiting_events: 0,
      controllers: [],
    };
  }

  static async start(options: DemoGatewayOptions): Promise<DemoGateway> {
    const { dataDir, logs, bridgeUrl, upstreamUrl } = options;
    const held = new MembershipFile(dataDir).read();
    if (!held.ok || held.value === null) {
      const code = await options.claimCode();
      const told = ['--data', dataDir, '--bridge', bridgeUrl, '--code', code, '--profile', profile];
      const args = ['enroll', ...told, '--name', 'Gateway', '--json'];
      await runToEnd({ name: "The gateway's claim", args, logFile: join(logs, 'enroll.log') });
    }
    const listening = ['--listen', '127.0.0.1:0', '--mqtt-port', '0', '--status-port', '0', '--no-mdns'];
    const args = ['gateway', '--data', dataDir, '--upstream', upstreamUrl, ...listening];
    const process = new PartProcess({ name: 'The gateway', args, logFile: join(logs, 'gateway.log') });
    return new DemoGateway(options, process, await process.ready<GatewayReady>());
  }

  get exited(): Promise<void> {
    return this.#process.exited;
  }

  get state(): GatewayState {
    return this.#state;
  }

  /** Now, and every second from then on. */
  async look(): Promise<void> {
    clearTimeout(this.#looking);
    try {
      const answer = await fetch(`${this.#ready.status}/status.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      this.#take((await answer.json()) as StatusDocument);
    } catch {
      // It is stopping, or busy: the next look will tell.
    }
    if (this.#process.isRunning) this.#looking = setTimeout(() => void this.look(), LOOK_MS);
  }

  #take({ upstream, queue, controllers }: StatusDocument): void {
    const { keys, changed } = this.#options;
    const state = {
      ...this.#state,
      is_connected: upstream.connected,
      waiting_events: queue.events,
      controllers: controllers.flatMap(({ device_id, connected }) => {
        const key = keys.get(device_id);
        return key === undefined ? [] : [{ key, is_connected: connected }];
      }),
    };
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    changed(state);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#looking);
    await this.#process.stop();
  }
}
