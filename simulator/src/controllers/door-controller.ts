import { setTimeout as pause } from 'node:timers/promises';
import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { DoorHand, SupplyChanged } from '@lintel/wire-protocol/simulator/requests';
import type { LiveHappening, TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { boardLines, type ControllerPlan, type DoorPlan } from './controller-plan.ts';
import { gadgetState, initialController, initialDoor, poweredOff } from './controller-state.ts';
import { limitDisk } from './disk-limit.ts';
import { DoorLeaf } from './door-leaf.ts';
import { OutputLevels } from './output-levels.ts';
import { RunningController } from './running-controller.ts';

export interface DoorControllerParts {
  readonly plan: ControllerPlan;
  readonly upstreamUrl: string;
  /** A technician pass of the site. */
  readonly pass: () => Promise<string>;
  readonly controllerChanged: (controller: ControllerState) => void;
  readonly doorChanged: (door: DoorState) => void;
  /** `isNew`: it happens now, not before the controller was observed. */
  readonly recorded: (event: TechnicianEvent, isNew: boolean) => void;
}

/** The computed end of one lockout varies by less than this from one status to the next. */
const JITTER_MS = 1500;

const indicators: Readonly<Record<string, 'green' | 'red' | 'buzzer'>> = {
  [boardLines.green]: 'green',
  [boardLines.red]: 'red',
  [boardLines.buzzer]: 'buzzer',
};

/** A controller with its doors and its surroundings: power, disk, clock, the people in front of the doors. */
export class DoorController {
  readonly plan: ControllerPlan;
  isClaimed = false;
  readonly #parts: DoorControllerParts;
  readonly #outputs: OutputLevels;
  readonly #leaves: ReadonlyMap<string, DoorLeaf>;
  readonly #doors: Map<string, DoorState>;
  #state: ControllerState;
  #stepped_ms = 0;
  #running: RunningController | null = null;

  constructor(parts: DoorControllerParts) {
    const { plan } = parts;
    this.#parts = parts;
    this.plan = plan;
    this.#state = initialController(plan);
    this.#doors = new Map(plan.doors.map(door => [door.key, initialDoor(plan, door)]));
    this.#outputs = new OutputLevels((output, isOn) => this.#outputChanged(output, isOn));
    this.#leaves = new Map(
      plan.doors.map(({ key, lines }) => [
        key,
        new DoorLeaf({
          contact: isOpen => void this.#running?.move(lines.contact, isOpen),
          changed: (isOpen, is_held) => this.#putDoor(key, { leaf: isOpen ? 'open' : 'closed', is_held }),
        }),
      ]),
    );
  }

  get state(): ControllerState {
    return this.#state;
  }

  get doors(): readonly DoorState[] {
    return [...this.#doors.values()];
  }

  #put(changes: Partial<ControllerState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#parts.controllerChanged(this.#state);
  }

  #putStation(changes: Partial<StationState>): void {
    this.#put({ stations: this.#state.stations.map(station => ({ ...station, ...changes })) });
  }

  #putDoor(key: string, changes: Partial<DoorState>): void {
    const door = { ...this.#doors.get(key)!, ...changes };
    this.#doors.set(key, door);
    this.#parts.doorChanged(door);
  }

  #outputChanged(output: string, isOn: boolean): void {
    const door = this.plan.doors.find(({ lines }) => lines.strike === output);
    const indicator = indicators[output];
    if (indicator !== undefined) this.#putStation({ [indicator]: isOn });
    if (door === undefined) return;
    this.#leaves.get(door.key)!.strike(isOn);
    this.#putDoor(door.key, { is_unlocked: isOn });
  }

  #switched(output: string, isOn: boolean, pulse_ms: number | null): void {
    const wasOn = this.#outputs.isOn(output);
    this.#outputs.set(output, isOn, pulse_ms);
    // Granted again while still unlocked: the next person goes through.
    if (wasOn && isOn) this.#outputChanged(output, isOn);
  }

  /** The inputs at rest. */
  #levels(): Record<string, boolean> {
    const { supply, is_housing_open } = this.#state;
    return {
      [boardLines.mains]: supply.mains,
      [boardLines.battery]: supply.battery,
      [boardLines.charging]: supply.charging,
      [boardLines.housing]: is_housing_open,
      ...Object.fromEntries(
        this.plan.doors.map(({ key, lines }) => [lines.contact, this.#leaves.get(key)!.isOpen] as const),
      ),
    };
  }

  get #hasSupply(): boolean {
    return this.#state.supply.mains || this.#state.supply.battery;
  }

  /** Null when the doors work, otherwise why they do not. */
  async switchOn(): Promise<string | null> {
    if (!this.#hasSupply) return 'there is neither mains nor a battery';
    if (this.#state.power !== 'off') return null;
    this.#put({ power: 'starting' });
    const { upstreamUrl, pass } = this.#parts;
    const running = new RunningController(this.plan, upstreamUrl, this.#state.is_disk_full, {
      pass,
      heard: happening => this.#heard(happening),
      looked: status => this.#looked(status),
      past: events => events.toReversed().forEach(event => this.#parts.recorded(event, false)),
      ended: () => this.#running === running && this.#ended(),
    });
    this.#running = running;
    try {
      await running.ready(this.#levels());
    } catch (error) {
      await running.process.cutPower();
      return (error as Error).message;
    }
    if (this.#running === running) this.#put({ power: 'on', technician: running.page });
    return null;
  }

  /** Kills the process, as when a fuse blows. */
  async cutPower(): Promise<void> {
    await this.#running?.process.cutPower();
  }

  #ended(): void {
    this.#running = null;
    this.#stepped_ms = 0;
    this.#outputs.allOff();
    this.#put(poweredOff);
    for (const { key } of this.plan.doors) this.#putDoor(key, gadgetState(null));
  }

  #doorOf(gadgetId: string | null | undefined): DoorPlan | undefined {
    return this.plan.doors.find(door => door.gadgetId === gadgetId);
  }

  #putGadgetState(gadgetId: string | null | undefined, stateId: string | null | undefined): void {
    const door = this.#doorOf(gadgetId);
    if (door !== undefined && stateId != null) this.#putDoor(door.key, gadgetState(stateId));
  }

  #heard(happening: LiveHappening): void {
    switch (happening.type) {
      case 'output':
        return this.#switched(happening.output, happening.on, happening.pulse_ms);
      case 'entry': {
        const door = this.#doorOf(happening.rule?.gadget_id)?.key ?? null;
        return this.#putStation({ entry: { phase: happening.phase, door } });
      }
      case 'feedback':
        if (happening.kind === 'locked_out') void this.#running?.look();
        return;
      case 'event':
        if (happening.event.kind === 'state')
          this.#putGadgetState(happening.event.gadget_id, happening.event.gadget_state_id);
        this.#parts.recorded(happening.event, true);
        void this.#running?.look();
        return;
      default:
        return;
    }
  }

  #lockedUntil(status: TechnicianStatus): string | null {
    const locked = Math.max(0, ...status.stations.map(({ locked_for_ms }) => locked_for_ms));
    const known = this.#state.stations[0]?.locked_until ?? null;
    const until = Date.now() + locked;
    if (locked === 0) return null;
    return known !== null && Math.abs(Date.parse(known) - until) <= JITTER_MS ? known : new Date(until).toISOString();
  }

  #looked(status: TechnicianStatus): void {
    const { upstream, waiting_events, slice, clock, faults } = status;
    this.isClaimed = status.claimed;
    for (const { gadget_id, state_id } of status.gadgets) this.#putGadgetState(gadget_id, state_id);
    this.#put({
      is_connected: upstream.connected,
      is_online: upstream.online,
      waiting_events,
      revision: slice?.revision ?? null,
      clock: { ...clock, stepped_ms: this.#stepped_ms },
      faults: faults.map(({ code, message }) => ({ code, message })),
      stations: this.#state.stations.map(station => ({ ...station, locked_until: this.#lockedUntil(status) })),
    });
  }

  /** Through the technician API, as on site. */
  async claim(ticket: string): Promise<void> {
    await this.#running?.claim(ticket);
    await this.#running?.look();
  }

  /** Waits until the controller has a snapshot and the bridge can be reached, or the time is over. */
  async untilServing(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (performance.now() < end && this.#running !== null) {
      if (this.#state.is_online && this.#state.revision !== null) return;
      await pause(50);
      await this.#running.look();
    }
  }

  order(order: object): Promise<string | null> {
    return this.#running?.order(order) ?? Promise.resolve('the controller is without power');
  }

  async hand(door: DoorPlan, does: DoorHand['does']): Promise<string | null> {
    return does === 'exit' ? this.order({ press: door.lines.exit }) : this.#leaves.get(door.key)!.hand(does);
  }

  /** Without mains and battery the controller is off; the first that comes back switches it on. */
  async changeSupply(changes: SupplyChanged): Promise<string | null> {
    const wasOff = !this.#hasSupply;
    const { mains = this.#state.supply.mains, battery = this.#state.supply.battery } = changes;
    this.#put({ supply: { mains, battery, charging: mains && battery } });
    if (!this.#hasSupply) await this.cutPower();
    else if (wasOff) return this.switchOn();
    else for (const [input, isActive] of Object.entries(this.#levels())) await this.#running?.move(input, isActive);
    return null;
  }

  async moveHousing(isOpen: boolean): Promise<string | null> {
    this.#put({ is_housing_open: isOpen });
    return (await this.#running?.move(boardLines.housing, isOpen)) ?? null;
  }

  async stepClock(stepped_ms: number): Promise<string | null> {
    const problem = await this.order({ clock_stepped_ms: stepped_ms });
    if (problem !== null) return problem;
    this.#stepped_ms = stepped_ms;
    const { clock } = this.#state;
    this.#put({ clock: clock && { ...clock, stepped_ms } });
    return null;
  }

  /** Stays as it is over a power cut. */
  async fillDisk(isFull: boolean): Promise<string | null> {
    try {
      if (this.#running !== null) await limitDisk(this.#running.process.pid, isFull);
    } catch (error) {
      return (error as Error).message;
    }
    this.#put({ is_disk_full: isFull });
    return null;
  }

  async stop(): Promise<void> {
    for (const leaf of this.#leaves.values()) leaf.stop();
    await this.#running?.process.stop();
  }
}
