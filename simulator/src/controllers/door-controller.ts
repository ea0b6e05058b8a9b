import { setTimeout as pause } from 'node:timers/promises';
import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { DoorHand, SupplyChanged } from '@lintel/wire-protocol/simulator/requests';
import type { LiveHappening, TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { boardLines, type ControllerPlan, type DoorPlan } from './controller-plan.ts';
import { type ControllerView, controllerState, doorState } from './controller-view.ts';
import { limitDisk } from './disk-limit.ts';
import { DoorLeaf } from './door-leaf.ts';
import { OutputLevels } from './output-levels.ts';
import { RunningController } from './running-controller.ts';

export interface DoorControllerParts {
  readonly plan: ControllerPlan;
  readonly pass: () => Promise<string>;
  readonly controllerChanged: () => void;
  readonly doorChanged: (door: string) => void;
  /** `isNew`: it happens now, not before somebody looked. */
  readonly recorded: (event: TechnicianEvent, isNew: boolean) => void;
}

const idle = { phase: 'idle', door: null } as const;
/** What a lockout's end may wander from look to look without being another one. */
const JITTER_MS = 1500;

/** A controller with its doors, and the world around it: current, disk, clock, the people in front of the doors. */
export class DoorController {
  readonly plan: ControllerPlan;
  readonly #told: DoorControllerParts;
  readonly #outputs: OutputLevels;
  readonly #leaves: ReadonlyMap<string, DoorLeaf>;
  readonly #states = new Map<string, string>();
  #running: RunningController | null = null;
  #power: ControllerState['power'] = 'off';
  #status: TechnicianStatus | null = null;
  #entry: StationState['entry'] = idle;
  #lockedUntil: number | null = null;
  #supply = { mains: true, battery: true };
  #isHousingOpen = false;
  #isDiskFull = false;
  #stepped_ms = 0;

  constructor(parts: DoorControllerParts) {
    this.#told = parts;
    this.plan = parts.plan;
    this.#outputs = new OutputLevels((output, isOn) => this.#outputChanged(output, isOn));
    this.#leaves = new Map(
      parts.plan.doors.map(({ key, lines }) => [
        key,
        new DoorLeaf({
          contact: isOpen => void this.#running?.move(lines.contact, isOpen),
          changed: () => parts.doorChanged(key),
        }),
      ]),
    );
  }

  #outputChanged(output: string, isOn: boolean): void {
    const door = this.plan.doors.find(({ lines }) => lines.strike === output);
    if (door === undefined) return this.#told.controllerChanged();
    this.#leaves.get(door.key)!.strike(isOn);
    this.#told.doorChanged(door.key);
  }

  #switched(output: string, isOn: boolean, pulse_ms: number | null): void {
    const wasOn = this.#outputs.isOn(output);
    this.#outputs.set(output, isOn, pulse_ms);
    // Granted again while it is unlocked still: the next one goes through.
    if (wasOn && isOn) this.#outputChanged(output, isOn);
  }

  /** How the inputs stand while nobody moves them. */
  #levels(): Record<string, boolean> {
    const { mains, battery } = this.#supply;
    return {
      [boardLines.mains]: mains,
      [boardLines.battery]: battery,
      [boardLines.charging]: mains && battery,
      [boardLines.housing]: this.#isHousingOpen,
      ...Object.fromEntries(
        this.plan.doors.map(({ key, lines }) => [lines.contact, this.#leaves.get(key)!.isOpen] as const),
      ),
    };
  }

  /** Null when the door serves, otherwise why it does not. */
  async switchOn(): Promise<string | null> {
    if (!this.#hasSupply) return 'there is neither mains nor a battery';
    if (this.#power !== 'off') return null;
    this.#power = 'starting';
    this.#told.controllerChanged();
    const running = new RunningController(this.plan, this.#isDiskFull, {
      pass: this.#told.pass,
      heard: happening => this.#heard(happening),
      looked: status => this.#looked(status),
      past: events => this.#past(events),
      ended: () => this.#running === running && this.#ended(),
    });
    this.#running = running;
    try {
      await running.ready(this.#levels());
    } catch (error) {
      await running.process.cutPower();
      return (error as Error).message;
    }
    if (this.#running === running) this.#power = 'on';
    this.#told.controllerChanged();
    return null;
  }

  get #hasSupply(): boolean {
    return this.#supply.mains || this.#supply.battery;
  }

  /** Nobody is told, as when a fuse blows. */
  async cutPower(): Promise<void> {
    await this.#running?.process.cutPower();
  }

  #ended(): void {
    this.#running = null;
    this.#power = 'off';
    this.#status = null;
    this.#entry = idle;
    this.#lockedUntil = null;
    this.#stepped_ms = 0;
    this.#outputs.allOff();
    this.#told.controllerChanged();
    for (const { key } of this.plan.doors) this.#told.doorChanged(key);
  }

  #doorOf(gadgetId: string | null | undefined): DoorPlan | undefined {
    return this.plan.doors.find(door => door.gadgetId === gadgetId);
  }

  #heard(happening: LiveHappening): void {
    switch (happening.type) {
      case 'output':
        return this.#switched(happening.output, happening.on, happening.pulse_ms);
      case 'entry':
        this.#entry = { phase: happening.phase, door: this.#doorOf(happening.rule?.gadget_id)?.key ?? null };
        return this.#told.controllerChanged();
      case 'feedback':
        if (happening.kind === 'locked_out') void this.#running?.look();
        return;
      case 'event':
        return this.#recorded(happening.event);
      default:
        return;
    }
  }

  #recorded(event: TechnicianEvent): void {
    const door = this.#doorOf(event.gadget_id);
    if (door !== undefined && event.kind === 'state' && typeof event.gadget_state_id === 'string') {
      this.#states.set(door.key, event.gadget_state_id);
      this.#told.doorChanged(door.key);
    }
    this.#told.recorded(event, true);
    void this.#running?.look();
  }

  #past(events: readonly TechnicianEvent[]): void {
    for (const event of events.toReversed()) this.#told.recorded(event, false);
  }

  #looked(status: TechnicianStatus): void {
    this.#status = status;
    const locked = Math.max(0, ...status.stations.map(({ locked_for_ms }) => locked_for_ms));
    const until = Date.now() + locked;
    if (locked === 0) this.#lockedUntil = null;
    else if (Math.abs((this.#lockedUntil ?? 0) - until) > JITTER_MS) this.#lockedUntil = until;
    for (const { gadget_id, state_id } of status.gadgets) {
      const door = this.#doorOf(gadget_id);
      if (door === undefined || state_id === null || this.#states.get(door.key) === state_id) continue;
      this.#states.set(door.key, state_id);
      this.#told.doorChanged(door.key);
    }
    this.#told.controllerChanged();
  }

  /** Through its technician's page, as on site. */
  async claim(ticket: string): Promise<void> {
    await this.#running?.claim(ticket);
    await this.#running?.look();
  }

  /** Until it has the rules of the desk and the bridge hears it, or the time is over. */
  async untilServing(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (performance.now() < end && this.#running !== null) {
      if (this.#status?.upstream.online === true && this.#status.slice !== null) return;
      await pause(50);
      await this.#running.look();
    }
  }

  get isClaimed(): boolean {
    return this.#status?.claimed === true;
  }

  order(order: object): Promise<string | null> {
    return this.#running?.order(order) ?? Promise.resolve('the controller is without power');
  }

  async hand(door: DoorPlan, does: DoorHand['does']): Promise<string | null> {
    return does === 'exit' ? this.order({ press: door.lines.exit }) : this.#leaves.get(door.key)!.hand(does);
  }

  /** Without either of them it is off; the first that comes back switches it on. */
  async changeSupply({ mains, battery }: SupplyChanged): Promise<string | null> {
    const wasOff = !this.#hasSupply;
    this.#supply = { mains: mains ?? this.#supply.mains, battery: battery ?? this.#supply.battery };
    this.#told.controllerChanged();
    if (!this.#hasSupply) await this.cutPower();
    else if (wasOff) return this.switchOn();
    else for (const [input, isActive] of Object.entries(this.#levels())) await this.#running?.move(input, isActive);
    return null;
  }

  async moveHousing(isOpen: boolean): Promise<string | null> {
    this.#isHousingOpen = isOpen;
    this.#told.controllerChanged();
    return (await this.#running?.move(boardLines.housing, isOpen)) ?? null;
  }

  async stepClock(stepped_ms: number): Promise<string | null> {
    const problem = await this.order({ clock_stepped_ms: stepped_ms });
    if (problem === null) this.#stepped_ms = stepped_ms;
    this.#told.controllerChanged();
    return problem;
  }

  /** It stays as it is over a power cut, as a disk does. */
  async fillDisk(isFull: boolean): Promise<string | null> {
    try {
      if (this.#running !== null) await limitDisk(this.#running.process.pid, isFull);
    } catch (error) {
      return (error as Error).message;
    }
    this.#isDiskFull = isFull;
    this.#told.controllerChanged();
    return null;
  }

  #view(): ControllerView {
    return {
      plan: this.plan,
      power: this.#power,
      status: this.#status,
      entry: this.#entry,
      lockedUntil: this.#lockedUntil,
      supply: this.#supply,
      isHousingOpen: this.#isHousingOpen,
      isDiskFull: this.#isDiskFull,
      stepped_ms: this.#stepped_ms,
      page: this.#running?.page ?? null,
      isOn: output => this.#outputs.isOn(output),
    };
  }

  state(): ControllerState {
    return controllerState(this.#view());
  }

  doors(): DoorState[] {
    const view = this.#view();
    return this.plan.doors.map(door => doorState(view, door, this.#leaves.get(door.key)!, this.#states.get(door.key)));
  }

  async stop(): Promise<void> {
    for (const leaf of this.#leaves.values()) leaf.stop();
    await this.#running?.process.stop();
  }
}
