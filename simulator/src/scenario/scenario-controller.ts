import { cpSync } from 'node:fs';
import { SteppedTime } from '@lintel/device-runtime/clock/stepped-time';
import { createSimulatedController } from '../virtual-hardware/simulated-controller.ts';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { InProcessBroker } from './in-process-broker.ts';
import { InProcessLine } from './in-process-line.ts';
import { dropFolder, scratchFolder } from '../scratch-folder.ts';
import type { MachineClock, ScenarioClock } from './scenario-clock.ts';

type Firmware = ReturnType<typeof createSimulatedController>;

interface Running {
  readonly firmware: Firmware;
  readonly line: InProcessLine;
  readonly clock: MachineClock;
}

export interface ControllerPlace {
  readonly name: string;
  readonly deviceId: string;
  /** In the order in which they were made, by which their lines are called. */
  readonly doors: readonly string[];
  readonly clock: ScenarioClock;
  readonly broker: InProcessBroker;
  /** Something has happened that the bridge should hear of. */
  readonly stirred: () => void;
}

/** One controller with the real firmware, its disk, its line and its current. */
export class ScenarioController {
  readonly place: ControllerPlace;
  readonly recorded: DeviceEvent[] = [];
  readonly #system: SteppedTime;
  dataDir = scratchFolder();
  #isLineOpen = true;
  #running: Running | null = null;

  constructor(place: ControllerPlace) {
    this.place = place;
    this.#system = new SteppedTime({ now: () => place.clock.instant, isSynchronized: () => false });
  }

  switchOn(): void {
    if (this.#running !== null) return;
    const { clock, broker, stirred } = this.place;
    const machine = clock.machine();
    let line: InProcessLine | null = null;
    const firmware = createSimulatedController({
      dataDir: this.dataDir,
      clock: machine,
      system: this.#system,
      log: () => undefined,
      watchdog: { interval_ms: null, ready: () => undefined, alive: () => undefined, stopping: () => undefined },
      recorded: event => {
        this.recorded.push(event);
        stirred();
      },
      network: {
        product_id: 'virtual',
        firmware: 'scenario',
        line: identity => (line = new InProcessLine(broker, identity, this.#isLineOpen)),
      },
    });
    this.#running = { firmware, line: line!, clock: machine };
  }

  /**
   * What is on the disk at that moment is all that is left: the next start reads a copy of it, and whatever the old
   * process does when it is put away comes too late to be in it.
   */
  async cutPower(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    running.line.setOpen(false);
    running.clock.halt();
    const kept = scratchFolder();
    cpSync(this.dataDir, kept, { recursive: true });
    await running.firmware.stop();
    running.clock.halt();
    dropFolder(this.dataDir);
    this.dataDir = kept;
  }

  setLine(isOpen: boolean): void {
    this.#isLineOpen = isOpen;
    this.#running?.line.setOpen(isOpen);
  }

  stepClock(ms: number): void {
    this.#system.step(ms);
  }

  /** Null while it has no current. */
  get firmware(): Firmware | null {
    return this.#running?.firmware ?? null;
  }

  get isOnline(): boolean {
    return this.firmware?.upstream()?.online ?? false;
  }

  /** With its power on; what people do at a dead door has no effect, and is a mistake in a scenario. */
  get working(): Firmware {
    if (this.firmware === null) throw new Error(`${this.place.name} has no current`);
    return this.firmware;
  }

  lineOf(door: string, kind: 'strike' | 'contact' | 'exit'): string {
    return `${kind}-${this.place.doors.indexOf(door)}`;
  }

  isUnlocked(door: string): boolean {
    return this.firmware?.outputs.isOn(this.lineOf(door, 'strike')) ?? false;
  }

  async close(): Promise<void> {
    await this.#running?.firmware.stop();
    this.#running?.clock.halt();
    this.#running = null;
    dropFolder(this.dataDir);
  }
}
