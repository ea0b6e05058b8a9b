import { join } from 'node:path';
import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import type { GatewayStatusDocument } from '@lintel/gateway/status/status-document-types';
import type { SimulatedGatewayState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import { LintelProcess, runLintelCommand } from '../processes/lintel-process.ts';

const STATUS_POLL_MS = 1000;
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
  /** Creates a claim code for a gateway that is not claimed yet. */
  readonly claimCode: () => Promise<string>;
  /** Keys of the controllers by device id. */
  readonly keys: ReadonlyMap<string, string>;
  readonly onChange: (state: SimulatedGatewayState) => void;
}

const profile = join(import.meta.dirname, '../../../hardware-profiles/profiles/gateway.json');

/** The gateway process, with its state from the status page. */
export class DemoGateway {
  readonly mqttPort: number;
  readonly #options: DemoGatewayOptions;
  readonly #process: LintelProcess;
  readonly #ready: GatewayReady;
  #state: SimulatedGatewayState;
  #pollTimer: NodeJS.Timeout | undefined;

  private constructor(options: DemoGatewayOptions, process: LintelProcess, ready: GatewayReady) {
    this.#options = options;
    this.#process = process;
    this.#ready = ready;
    this.mqttPort = Number(new URL(ready.mqtt).port);
    this.#state = {
      name: 'Gateway',
      device_id: ready.device_id,
      page: ready.status,
      is_connected: false,
      controllers: [],
    };
  }

  static async start(options: DemoGatewayOptions): Promise<DemoGateway> {
    const { dataDir, logs, bridgeUrl, upstreamUrl } = options;
    const held = new EnrollmentFile(dataDir).read();
    if (!held.ok || held.value === null) {
      const code = await options.claimCode();
      const claimOptions = ['--data', dataDir, '--bridge', bridgeUrl, '--code', code, '--profile', profile];
      const args = ['enroll', ...claimOptions, '--name', 'Gateway', '--json'];
      await runLintelCommand({ name: "The gateway's claim", args, logFile: join(logs, 'enroll.log') });
    }
    const listening = ['--listen', '127.0.0.1:0', '--mqtt-port', '0', '--status-port', '0', '--no-mdns'];
    const args = ['gateway', '--data', dataDir, '--upstream', upstreamUrl, ...listening];
    const process = new LintelProcess({ name: 'The gateway', args, logFile: join(logs, 'gateway.log') });
    return new DemoGateway(options, process, await process.ready<GatewayReady>());
  }

  get exited(): Promise<void> {
    return this.#process.exited;
  }

  get state(): SimulatedGatewayState {
    return this.#state;
  }

  /** Reads the status now and every second from then on. */
  async refreshStatus(): Promise<void> {
    clearTimeout(this.#pollTimer);
    try {
      const response = await fetch(`${this.#ready.status}/status.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      this.#applyStatus((await response.json()) as GatewayStatusDocument);
    } catch {
      // The gateway is busy or stopping. The next poll reads the status again.
    }
    if (this.#process.isRunning) this.#pollTimer = setTimeout(() => void this.refreshStatus(), STATUS_POLL_MS);
  }

  #applyStatus({ upstream, controllers }: GatewayStatusDocument): void {
    const { keys, onChange } = this.#options;
    const state = {
      ...this.#state,
      is_connected: upstream.connected,
      controllers: controllers.flatMap(({ device_id, connected }) => {
        const key = keys.get(device_id);
        return key === undefined ? [] : [{ key, is_connected: connected }];
      }),
    };
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    onChange(state);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#pollTimer);
    await this.#process.stop();
  }
}
