import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  SimulatedControllerState,
  SimulatedReaderUnitState,
} from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type {
  SimulatorOperateDoorByHandRequest,
  SimulatorSetSupplyRequest,
} from '@lintel/wire-protocol/simulator/simulator-api-requests';
import type { TechnicianLiveMessage, TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import {
  demoProfilePartNames,
  type DemoControllerPlan,
  type DemoDoorPlan,
} from './demo-controller-plan-types-and-part-names.ts';
import {
  toDoorGadgetState,
  createInitialControllerState,
  createInitialDoorState,
  poweredOffControllerState,
} from './initial-controller-and-door-state.ts';
import { type OpeningInputRule, mapDoorsToOpeningCodes } from './map-doors-to-opening-codes.ts';
import { setSimulatedDiskFull } from './simulated-full-disk.ts';
import { DoorLeaf } from './door-leaf.ts';
import { OutputLevels } from './output-levels.ts';
import type { DemoTechnicianPass } from './demo-technician-client.ts';
import { ControllerProcess } from './controller-process.ts';
import { describePhoneOpeningFailure, openDoorWithPhone, type SimulatedPhone } from './simulated-bluetooth-phone.ts';

export interface DemoControllerOptions {
  readonly plan: DemoControllerPlan;
  readonly upstreamUrl: string;
  /** Returns a technician pass of the site. */
  readonly pass: () => Promise<DemoTechnicianPass>;
  readonly onControllerChange: (controller: SimulatedControllerState) => void;
  readonly onDoorChange: (door: SimulatedDoorState) => void;
  /** `isNew`: the event happened now, not before the simulator connected. */
  readonly onEvent: (event: TechnicianEventResponse, isNew: boolean) => void;
}

/** Tolerance for the computed end of a lockout between two status responses. */
const LOCKOUT_JITTER_MS = 1500;

const indicators: Readonly<Record<string, 'green' | 'red' | 'buzzer'>> = {
  [demoProfilePartNames.green]: 'green',
  [demoProfilePartNames.red]: 'red',
  [demoProfilePartNames.buzzer]: 'buzzer',
};

/** A controller of the demo with its doors, power supply, disk, clock and housing. */
export class DemoController {
  readonly plan: DemoControllerPlan;
  isClaimed = false;
  readonly #options: DemoControllerOptions;
  readonly #outputs: OutputLevels;
  readonly #leaves: ReadonlyMap<string, DoorLeaf>;
  readonly #doors: Map<string, SimulatedDoorState>;
  #state: SimulatedControllerState;
  #stepped_ms = 0;
  #process: ControllerProcess | null = null;

  constructor(options: DemoControllerOptions) {
    const { plan } = options;
    this.#options = options;
    this.plan = plan;
    this.#state = createInitialControllerState(plan);
    this.#doors = new Map(plan.doors.map(door => [door.key, createInitialDoorState(plan, door)]));
    this.#outputs = new OutputLevels((output, isOn) => this.#outputChanged(output, isOn));
    this.#leaves = new Map(
      plan.doors.map(({ key, lines }) => [
        key,
        new DoorLeaf({
          onContact: isOpen => void this.#process?.setInput(lines.contact, isOpen),
          onChange: (isOpen, is_held) => this.#updateDoor(key, { leaf: isOpen ? 'open' : 'closed', is_held }),
        }),
      ]),
    );
  }

  get state(): SimulatedControllerState {
    return this.#state;
  }

  get doors(): readonly SimulatedDoorState[] {
    return [...this.#doors.values()];
  }

  #update(changes: Partial<SimulatedControllerState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#options.onControllerChange(this.#state);
  }

  #updateStation(changes: Partial<SimulatedReaderUnitState>): void {
    this.#update({ stations: this.#state.stations.map(station => ({ ...station, ...changes })) });
  }

  #updateDoor(key: string, changes: Partial<SimulatedDoorState>): void {
    const door = { ...this.#doors.get(key)!, ...changes };
    this.#doors.set(key, door);
    this.#options.onDoorChange(door);
  }

  #outputChanged(output: string, isOn: boolean): void {
    const door = this.plan.doors.find(({ lines }) => lines.strike === output);
    const indicator = indicators[output];
    if (indicator !== undefined) this.#updateStation({ [indicator]: isOn });
    if (door === undefined) return;
    this.#leaves.get(door.key)!.setUnlocked(isOn);
    this.#updateDoor(door.key, { is_unlocked: isOn });
  }

  #switchOutput(output: string, isOn: boolean, pulse_ms: number | null): void {
    const wasOn = this.#outputs.isOn(output);
    this.#outputs.set(output, isOn, pulse_ms);
    // Granted again while still unlocked: another person enters.
    if (wasOn && isOn) this.#outputChanged(output, isOn);
  }

  /** The current level of each input. */
  #inputLevels(): Record<string, boolean> {
    const { supply, is_housing_open } = this.#state;
    return {
      [demoProfilePartNames.mains]: supply.mains,
      [demoProfilePartNames.battery]: supply.battery,
      [demoProfilePartNames.charging]: supply.charging,
      [demoProfilePartNames.housing]: is_housing_open,
      ...Object.fromEntries(
        this.plan.doors.map(({ key, lines }) => [lines.contact, this.#leaves.get(key)!.isOpen] as const),
      ),
    };
  }

  get #hasSupply(): boolean {
    return this.#state.supply.mains || this.#state.supply.battery;
  }

  /** Returns null when the controller is ready, otherwise the reason for the failure. */
  async switchOn(): Promise<string | null> {
    if (!this.#hasSupply) return 'No power: mains and battery are off';
    if (this.#state.power !== 'off') return null;
    this.#update({ power: 'starting' });
    const { upstreamUrl, pass } = this.#options;
    const started = new ControllerProcess(this.plan, upstreamUrl, this.#state.is_disk_full, {
      pass,
      onLive: message => this.#handleLive(message),
      onStatus: status => this.#applyStatus(status),
      onRules: rules => this.#applyRules(rules),
      onPastEvents: events => events.toReversed().forEach(event => this.#options.onEvent(event, false)),
      onEnded: () => this.#process === started && this.#ended(),
    });
    this.#process = started;
    try {
      await started.ready(this.#inputLevels());
    } catch (error) {
      await started.process.cutPower();
      return (error as Error).message;
    }
    if (this.#process === started) this.#update({ power: 'on', technician: started.page });
    return null;
  }

  /** Kills the process. The next start is a start of the machine, which has lost its clock. */
  async cutPower(): Promise<void> {
    await this.#process?.process.cutPower();
    rmSync(join(this.plan.dataDir, 'state', 'clock.json'), { force: true });
  }

  #ended(): void {
    this.#process = null;
    this.#stepped_ms = 0;
    this.#outputs.allOff();
    this.#update(poweredOffControllerState);
    for (const { key } of this.plan.doors) this.#updateDoor(key, toDoorGadgetState(null));
  }

  #doorOf(gadgetId: string | null | undefined): DemoDoorPlan | undefined {
    return this.plan.doors.find(door => door.gadgetId === gadgetId);
  }

  #updateGadgetState(gadgetId: string | null | undefined, stateId: string | null | undefined): void {
    const door = this.#doorOf(gadgetId);
    if (door !== undefined && stateId != null) this.#updateDoor(door.key, toDoorGadgetState(stateId));
  }

  #handleLive(message: TechnicianLiveMessage): void {
    switch (message.type) {
      case 'output':
        return this.#switchOutput(message.output, message.on, message.pulse_ms);
      case 'entry': {
        const door = this.#doorOf(message.rule?.gadget_id)?.key ?? null;
        return this.#updateStation({ entry: { phase: message.phase, door } });
      }
      case 'feedback':
        if (message.kind === 'locked_out') void this.#process?.refreshStatus();
        return;
      case 'rules':
        void this.#process?.refreshRules();
        return;
      case 'event':
        if (message.event.kind === 'state')
          this.#updateGadgetState(message.event.gadget_id, message.event.gadget_state_id);
        this.#options.onEvent(message.event, true);
        void this.#process?.refreshStatus();
        return;
      default:
        return;
    }
  }

  #lockedUntil(status: TechnicianStatusResponse): string | null {
    const locked = Math.max(0, ...status.stations.map(({ locked_for_ms }) => locked_for_ms));
    const known = this.#state.stations[0]?.locked_until ?? null;
    const until = Date.now() + locked;
    if (locked === 0) return null;
    return known !== null && Math.abs(Date.parse(known) - until) <= LOCKOUT_JITTER_MS
      ? known
      : new Date(until).toISOString();
  }

  #applyStatus(status: TechnicianStatusResponse): void {
    const { upstream, waiting_events, slice, clock, faults } = status;
    this.isClaimed = status.claimed;
    // Without a snapshot there are no rules; the plan has those that the bridge will send.
    if (slice !== null && slice.revision !== this.#state.revision) void this.#process?.refreshRules();
    for (const { gadget_id, state_id } of status.gadgets) this.#updateGadgetState(gadget_id, state_id);
    this.#update({
      is_connected: upstream.connected,
      is_online: upstream.online,
      waiting_events,
      revision: slice?.revision ?? null,
      clock: { ...clock, stepped_ms: this.#stepped_ms },
      faults: faults.map(({ code, message }) => ({ code, message })),
      stations: this.#state.stations.map(station => ({ ...station, locked_until: this.#lockedUntil(status) })),
    });
  }

  #applyRules(rules: readonly OpeningInputRule[]): void {
    const codes = mapDoorsToOpeningCodes(rules, this.plan.doors);
    for (const { key } of this.plan.doors) {
      const code = codes.get(key) ?? null;
      if (this.#doors.get(key)!.code !== code) this.#updateDoor(key, { code });
    }
  }

  /** Claims the controller through its technician API. */
  async claim(ticket: string): Promise<void> {
    await this.#process?.claim(ticket);
    await this.#process?.refreshStatus();
  }

  /** Waits until the controller is online and has a snapshot, at most `ms`. */
  async waitUntilServing(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (performance.now() < end && this.#process !== null) {
      if (this.#state.is_online && this.#state.revision !== null) return;
      await delay(50);
      await this.#process.refreshStatus();
    }
  }

  sendCommand(command: object): Promise<string | null> {
    return this.#process?.sendCommand(command) ?? Promise.resolve('The controller has no power');
  }

  async moveDoor(door: DemoDoorPlan, does: SimulatorOperateDoorByHandRequest['does']): Promise<string | null> {
    return does === 'exit' ? this.sendCommand({ press: door.lines.exit }) : this.#leaves.get(door.key)!.move(does);
  }

  /** Returns null if the door opened, otherwise why not. */
  async openWithPhone(door: DemoDoorPlan, phone: SimulatedPhone): Promise<string | null> {
    if (this.#state.power !== 'on') return 'The controller has no power';
    return describePhoneOpeningFailure(
      await openDoorWithPhone(this.plan.dataDir, phone, door.gadgetId),
      phone.distance_m,
    );
  }

  /** Without mains and battery the controller is off. It starts when one of them returns. */
  async changeSupply(changes: SimulatorSetSupplyRequest): Promise<string | null> {
    const wasOff = !this.#hasSupply;
    const { mains = this.#state.supply.mains, battery = this.#state.supply.battery } = changes;
    this.#update({ supply: { mains, battery, charging: mains && battery } });
    if (!this.#hasSupply) await this.cutPower();
    else if (wasOff) return this.switchOn();
    else
      for (const [input, isActive] of Object.entries(this.#inputLevels()))
        await this.#process?.setInput(input, isActive);
    return null;
  }

  async moveHousing(isOpen: boolean): Promise<string | null> {
    this.#update({ is_housing_open: isOpen });
    return (await this.#process?.setInput(demoProfilePartNames.housing, isOpen)) ?? null;
  }

  async stepClock(stepped_ms: number): Promise<string | null> {
    const problem = await this.sendCommand({ clock_stepped_ms: stepped_ms });
    if (problem !== null) return problem;
    this.#stepped_ms = stepped_ms;
    const { clock } = this.#state;
    this.#update({ clock: clock && { ...clock, stepped_ms } });
    return null;
  }

  /** The disk stays full across a power cut. */
  async fillDisk(isFull: boolean): Promise<string | null> {
    try {
      if (this.#process !== null) await setSimulatedDiskFull(this.#process.process.pid, isFull);
    } catch (error) {
      return (error as Error).message;
    }
    this.#update({ is_disk_full: isFull });
    return null;
  }

  async stop(): Promise<void> {
    for (const leaf of this.#leaves.values()) leaf.stop();
    await this.#process?.process.stop();
  }
}
