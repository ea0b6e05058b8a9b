import { cpSync } from 'node:fs';
import { SystemTimeWithOffset } from '@lintel/device-runtime/clock/system-time-with-test-offset';
import { createSimulatedController } from '../virtual-hardware/simulated-controller.ts';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { InProcessBroker } from './in-process-broker.ts';
import { InProcessUpstream } from './in-process-upstream.ts';
import { removeScratchFolder, createScratchFolder } from '../scratch-folder.ts';
import type { ScenarioMachineClock, ScenarioClock } from './scenario-clock.ts';

type Firmware = ReturnType<typeof createSimulatedController>;

interface Running {
  readonly firmware: Firmware;
  readonly uplink: InProcessUpstream;
  readonly clock: ScenarioMachineClock;
}

export interface ScenarioControllerOptions {
  readonly name: string;
  readonly deviceId: string;
  /** In creation order. The GPIO lines are numbered by it. */
  readonly doors: readonly string[];
  readonly clock: ScenarioClock;
  readonly broker: InProcessBroker;

  readonly onEvent: () => void;
}

/** A controller with the real firmware, its disk, uplink and power supply. */
export class ScenarioController {
  readonly options: ScenarioControllerOptions;
  readonly recorded: DeviceEvent[] = [];
  readonly #system: SystemTimeWithOffset;
  dataDir = createScratchFolder();
  #isUplinkOpen = true;
  #running: Running | null = null;

  constructor(options: ScenarioControllerOptions) {
    this.options = options;
    this.#system = new SystemTimeWithOffset({ now: () => options.clock.instant, isSynchronized: () => false });
  }

  switchOn(): void {
    if (this.#running !== null) return;
    const { clock, broker, onEvent } = this.options;
    const machine = clock.machine();
    let uplink: InProcessUpstream | null = null;
    const firmware = createSimulatedController({
      dataDir: this.dataDir,
      clock: machine,
      system: this.#system,
      log: () => undefined,
      watchdog: { interval_ms: null, ready: () => undefined, alive: () => undefined, stopping: () => undefined },
      onEventRecorded: event => {
        this.recorded.push(event);
        onEvent();
      },
      network: {
        product_id: 'virtual',
        firmware: 'scenario',
        createUpstream: identity => (uplink = new InProcessUpstream(broker, identity, this.#isUplinkOpen)),
      },
    });
    this.#running = { firmware, uplink: uplink!, clock: machine };
  }

  /** The next start reads a copy of the disk as of now, without anything that the old firmware writes while it stops. */
  async cutPower(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    running.uplink.setOpen(false);
    running.clock.halt();
    const copy = createScratchFolder();
    cpSync(this.dataDir, copy, { recursive: true });
    await running.firmware.stop();
    running.clock.halt();
    removeScratchFolder(this.dataDir);
    this.dataDir = copy;
  }

  setUplink(isOpen: boolean): void {
    this.#isUplinkOpen = isOpen;
    this.#running?.uplink.setOpen(isOpen);
  }

  stepClock(ms: number): void {
    this.#system.step(ms);
  }

  /** Null without power. */
  get firmware(): Firmware | null {
    return this.#running?.firmware ?? null;
  }

  get isOnline(): boolean {
    return this.firmware?.upstream()?.online ?? false;
  }

  /** Throws without power: an action at a controller without power is a mistake in the scenario. */
  get poweredFirmware(): Firmware {
    if (this.firmware === null) throw new Error(`${this.options.name} has no power`);
    return this.firmware;
  }

  lineOf(door: string, kind: 'strike' | 'contact' | 'exit'): string {
    return `${kind}-${this.options.doors.indexOf(door)}`;
  }

  isUnlocked(door: string): boolean {
    return this.firmware?.outputs.isOn(this.lineOf(door, 'strike')) ?? false;
  }

  async close(): Promise<void> {
    await this.#running?.firmware.stop();
    this.#running?.clock.halt();
    this.#running = null;
    removeScratchFolder(this.dataDir);
  }
}
