import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FleetTapMode } from './fleet-worker.ts';
import type { FleetProcessResponse, FleetProcessRequest } from './fleet-process-messages.ts';
import { FleetMetrics } from './fleet-metrics.ts';

export const MAX_CONTROLLERS_PER_PROCESS = 5000;

export interface FleetProcessesOptions {
  /** Path of the key file. */
  readonly keys: string;
  readonly ids: readonly string[];
  readonly broker: string;
}

/** The child processes of a fleet. Each one runs a part of the controllers. */
export class FleetProcesses {
  readonly #processes: readonly ChildProcess[];

  private constructor(processes: readonly ChildProcess[]) {
    this.#processes = processes;
  }

  static async start({ keys, ids, broker }: FleetProcessesOptions): Promise<FleetProcesses> {
    const count = Math.max(1, Math.ceil(ids.length / MAX_CONTROLLERS_PER_PROCESS));
    const processes = Array.from({ length: count }, () => fork(join(import.meta.dirname, 'fleet-worker-main.ts')));
    const fleet = new FleetProcesses(processes);
    await Promise.all(
      processes.map((child, index) => {
        const ownIds = ids.filter((_, at) => at % count === index);
        return fleet.#request(child, { type: 'assemble', keys, ids: ownIds, broker });
      }),
    );
    return fleet;
  }

  async #request(
    child: ChildProcess,
    request: FleetProcessRequest,
  ): Promise<Extract<FleetProcessResponse, { metrics: unknown }>> {
    const settled = new AbortController();
    const { signal } = settled;
    child.send(request);
    const [response] = await Promise.race([
      once(child, 'message', { signal }) as Promise<[FleetProcessResponse]>,
      once(child, 'exit', { signal }).then((): [FleetProcessResponse] => [
        { failed: 'A process of the fleet has ended unexpectedly' },
      ]),
    ]).finally(() => settled.abort());
    if ('failed' in response) throw new Error(response.failed);
    return response;
  }

  async #requestAll(request: FleetProcessRequest): Promise<void> {
    await Promise.all(this.#processes.map(child => this.#request(child, request)));
  }

  /** Starts to connect. `report` returns the progress. */
  connect(): Promise<void> {
    return this.#requestAll({ type: 'connect' });
  }

  /** Starts to end all connections. Controllers keep their snapshots. */
  disconnect(): Promise<void> {
    return this.#requestAll({ type: 'disconnect' });
  }

  startTaps(mode: FleetTapMode): Promise<void> {
    return this.#requestAll({ type: 'tap', mode });
  }

  stopTaps(): Promise<void> {
    return this.#requestAll({ type: 'rest' });
  }

  async report(): Promise<FleetMetrics> {
    const metrics = new FleetMetrics();
    const responses = await Promise.all(this.#processes.map(child => this.#request(child, { type: 'report' })));
    for (const { metrics: part } of responses) if (part !== null) metrics.merge(part);
    return metrics;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#processes.map(async child => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, 'exit');
        if (child.connected) child.send({ type: 'stop' } satisfies FleetProcessRequest);
        await exited;
      }),
    );
  }
}
