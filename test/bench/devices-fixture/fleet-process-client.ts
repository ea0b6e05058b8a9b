import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchFleet } from './create-claimed-controllers-and-members.ts';
import type { FleetCommand, FleetReport } from './fleet-process.ts';

const QUIET_MS = 250;

/** Runs controllers in a separate process and queries it. */
export class FleetClient {
  readonly #process: ChildProcess;
  readonly size: number;

  private constructor(process: ChildProcess, size: number) {
    this.#process = process;
    this.size = size;
  }

  static async start(port: number, fleet: BenchFleet, snapshotDelayMs = 0): Promise<FleetClient> {
    const child = fork(join(import.meta.dirname, 'fleet-process.ts'));
    const control = new FleetClient(child, fleet.controllers.length);
    const response = await control.#send({ type: 'start', port, fleet, snapshotDelayMs });
    if (response !== 'started') throw new Error(String(response));
    return control;
  }

  async #send(command: FleetCommand): Promise<unknown> {
    const answered = once(this.#process, 'message');
    this.#process.send(command);
    return ((await answered) as unknown[])[0];
  }

  async report(measuresSnapshot = false): Promise<FleetReport> {
    return (await this.#send({ type: 'report', measuresSnapshot })) as FleetReport;
  }

  /** Waits until every controller has received a revocation after this time. Returns when the last one received it. */
  async lastRevocationAfter(time: bigint): Promise<bigint> {
    for (;;) {
      // Polls rarely, because a report uses CPU time that the controllers need.
      await delay(QUIET_MS);
      const arrivals = (await this.report()).arrivals.map(BigInt);
      if (arrivals.every(at => at > time)) return arrivals.reduce((last, at) => (at > last ? at : last));
    }
  }

  async waitForRevision(isServed: (revision: number) => boolean): Promise<FleetReport> {
    for (;;) {
      await delay(QUIET_MS);
      const report = await this.report();
      if (Object.keys(report.serving).every(revision => isServed(Number(revision)))) return report;
    }
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.send({ type: 'stop' } satisfies FleetCommand);
    await exited;
  }
}
