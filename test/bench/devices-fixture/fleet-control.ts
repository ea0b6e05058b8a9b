import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet } from './claimed-fleet.ts';
import type { FleetOrder, FleetReport } from './fleet-process.ts';

const QUIET_MS = 250;

/** Controllers in a process of their own. */
export class FleetControl {
  readonly #process: ChildProcess;
  readonly size: number;

  private constructor(process: ChildProcess, size: number) {
    this.#process = process;
    this.size = size;
  }

  static async start(port: number, fleet: Fleet, sliceDelayMs = 0): Promise<FleetControl> {
    const child = fork(join(import.meta.dirname, 'fleet-process.ts'));
    const control = new FleetControl(child, fleet.controllers.length);
    const answer = await control.#ask({ type: 'start', port, fleet, sliceDelayMs });
    if (answer !== 'started') throw new Error(String(answer));
    return control;
  }

  async #ask(order: FleetOrder): Promise<unknown> {
    const answered = once(this.#process, 'message');
    this.#process.send(order);
    return ((await answered) as unknown[])[0];
  }

  async report(measuresSlice = false): Promise<FleetReport> {
    return (await this.#ask({ type: 'report', measuresSlice })) as FleetReport;
  }

  /** All of them have something on the revocation topic that came after this moment. Answers when the last had it. */
  async allHeardSince(moment: bigint): Promise<bigint> {
    for (;;) {
      // Asked when all is quiet again: the question would take the processor from the answers.
      await delay(QUIET_MS);
      const arrivals = (await this.report()).arrivals.map(BigInt);
      if (arrivals.every(at => at > moment)) return arrivals.reduce((last, at) => (at > last ? at : last));
    }
  }

  async allServe(isServed: (revision: number) => boolean): Promise<FleetReport> {
    for (;;) {
      await delay(QUIET_MS);
      const report = await this.report();
      if (Object.keys(report.serving).every(revision => isServed(Number(revision)))) return report;
    }
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.send({ type: 'stop' } satisfies FleetOrder);
    await exited;
  }
}
