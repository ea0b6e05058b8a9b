import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TapOrder } from './fleet-crew.ts';
import type { FleetAnswer, FleetOrder } from './fleet-orders.ts';
import { FleetTally } from './fleet-tally.ts';

export const MOST_IN_PROCESS = 5000;

export interface FleetMuster {
  /** The file of keys. */
  readonly keys: string;
  readonly ids: readonly string[];
  readonly broker: string;
}

/** A fleet, shared out to processes. */
export class FleetProcesses {
  readonly #processes: readonly ChildProcess[];

  private constructor(processes: readonly ChildProcess[]) {
    this.#processes = processes;
  }

  static async start({ keys, ids, broker }: FleetMuster): Promise<FleetProcesses> {
    const count = Math.max(1, Math.ceil(ids.length / MOST_IN_PROCESS));
    const processes = Array.from({ length: count }, () => fork(join(import.meta.dirname, 'fleet-process.ts')));
    const fleet = new FleetProcesses(processes);
    await Promise.all(
      processes.map((child, index) => {
        const own = ids.filter((_, at) => at % count === index);
        return fleet.#ask(child, { type: 'assemble', keys, ids: own, broker });
      }),
    );
    return fleet;
  }

  async #ask(child: ChildProcess, order: FleetOrder): Promise<Extract<FleetAnswer, { tally: unknown }>> {
    const settled = new AbortController();
    const { signal } = settled;
    child.send(order);
    const [answer] = await Promise.race([
      once(child, 'message', { signal }) as Promise<[FleetAnswer]>,
      once(child, 'exit', { signal }).then((): [FleetAnswer] => [{ failed: 'a process of the fleet has ended' }]),
    ]).finally(() => settled.abort());
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  }

  async #tellAll(order: FleetOrder): Promise<void> {
    await Promise.all(this.#processes.map(child => this.#ask(child, order)));
  }

  /** Begins to: `report` tells how far it is. */
  connect(): Promise<void> {
    return this.#tellAll({ type: 'connect' });
  }

  startTaps(order: TapOrder): Promise<void> {
    return this.#tellAll({ type: 'tap', order });
  }

  stopTaps(): Promise<void> {
    return this.#tellAll({ type: 'rest' });
  }

  async report(): Promise<FleetTally> {
    const tally = new FleetTally();
    const answers = await Promise.all(this.#processes.map(child => this.#ask(child, { type: 'report' })));
    for (const { tally: told } of answers) if (told !== null) tally.merge(told);
    return tally;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#processes.map(async child => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, 'exit');
        if (child.connected) child.send({ type: 'stop' } satisfies FleetOrder);
        await exited;
      }),
    );
  }
}
