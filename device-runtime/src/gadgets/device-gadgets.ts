import type { DoorInput } from '@lintel/access-core/door/door-machine';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import {
  type InputLines,
  type InputLineState,
  OutputLineError,
  type OutputLines,
  type FeedbackKind,
  type DoorWiring,
  type GadgetWiring,
  type Wiring,
} from '@lintel/drivers/interfaces';
import type { SnapshotGadgetEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { DoorStateMachines, type DoorModeByGadgetId } from './door-state-machines.ts';
import type { ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';
import type { GadgetStateEffect, GadgetActionPlan, GadgetCommand } from './gadget-action-plan-types.ts';
import { BlindAndSwitchStateMachines } from './blind-and-switch-state-machines.ts';

/** A state or signal of a gadget. `at` null: now. */
export interface GadgetReport {
  readonly type: 'state' | 'signal';
  readonly gadget_id: string;
  readonly name: string;
  readonly at: MonotonicTime | null;
}

interface GadgetBoardDependencies {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly faults: ControllerFaultRegistry;
  readonly savedModes: DoorModeByGadgetId;
  readonly onReport: (report: GadgetReport) => void;
  readonly show: (station: string, kind: FeedbackKind) => void;
}

type Executors = {
  readonly [T in GadgetStateEffect['type']]: (id: string, effect: Extract<GadgetStateEffect, { type: T }>) => void;
};

const contactLevel = (
  { contact }: DoorWiring,
  level: InputLineState,
): Extract<DoorInput, { type: 'contact' }>['level'] =>
  level === 'unknown' || contact === null ? 'unknown' : level === contact.open_when ? 'open' : 'closed';

const earlier = (a: MonotonicTime | null, b: MonotonicTime | null): MonotonicTime | null =>
  a === null || (b !== null && b < a) ? b : a;

/** The gadgets of this device with their state machines and lines. */
export class DeviceGadgets {
  readonly #parts: GadgetBoardDependencies;
  readonly #doors = new DoorStateMachines();
  readonly #motors = new BlindAndSwitchStateMachines();
  readonly #wired = new Map<string, GadgetWiring>();
  /** Outputs whose last command failed, with the reason. */
  readonly #failedOutputs = new Map<string, string>();
  /** Fault codes of gadgets without wiring. */
  #unwired: readonly string[] = [];

  readonly #executors: Executors = {
    energize_strike: (id, { pulse_ms }) => this.#switchStrike(id, strike => this.#energize(strike, pulse_ms)),
    release_strike: id => this.#switchStrike(id, strike => this.#release(strike)),
    output_on: (_, { output, pulse_ms }) => this.#energize(output, pulse_ms),
    output_off: (_, { output }) => this.#release(output),
    report_state: (gadget_id, effect) =>
      this.#parts.onReport({ type: 'state', gadget_id, name: effect.state_id, at: 'at' in effect ? effect.at : null }),
    signal: (gadget_id, { signal_id, at }) => this.#parts.onReport({ type: 'signal', gadget_id, name: signal_id, at }),
    feedback: (id, { kind }) => {
      const wiring = this.#wired.get(id);
      if (wiring?.kind === 'door' && wiring.station !== null) this.#parts.show(wiring.station, kind);
    },
    // The caller learns the reason from the plan.
    refused: () => undefined,
  };

  constructor(parts: GadgetBoardDependencies) {
    this.#parts = parts;
  }

  #switchStrike(id: string, command: (strike: string) => void): void {
    const strike = this.#strikeOf(id);
    if (strike !== null) command(strike);
  }

  #energize(output: string, pulse_ms: number | null): void {
    this.#command(output, () => this.#parts.outputs.energize(output, pulse_ms));
  }

  #release(output: string): void {
    this.#command(output, () => this.#parts.outputs.release(output));
  }

  #command(output: string, send: () => void): void {
    try {
      send();
      this.#clearOutputFault(output);
    } catch (error) {
      const { message } = error as Error;
      this.#failedOutputs.set(output, message);
      this.#parts.faults.raise(`output:${output}`, `output ${output}: ${message}`);
      if (!(error instanceof OutputLineError)) throw error;
    }
  }

  #clearOutputFault(output: string): void {
    this.#failedOutputs.delete(output);
    this.#parts.faults.clear(`output:${output}`);
  }

  /** Null for a gadget that is not a wired door. */
  doorWiring(gadget_id: string): DoorWiring | null {
    const wiring = this.#wired.get(gadget_id);
    return wiring?.kind === 'door' ? wiring : null;
  }

  /** A recovered board restores its outputs itself, so their faults are cleared. */
  onOutputsRecovered(): void {
    for (const output of this.#failedOutputs.keys())
      if (this.#parts.outputs.faultOf(output) === null) this.#clearOutputFault(output);
  }

  /** The fault of the board of a required output; null when all work. */
  outputFault(gadget_id: string, commands: readonly GadgetCommand[]): string | null {
    return this.#firstFault(gadget_id, commands, output => this.#parts.outputs.faultOf(output));
  }

  /** Why the last command of a gadget failed. */
  lastCommandFailure(gadget_id: string, commands: readonly GadgetCommand[]): string | null {
    return this.#firstFault(gadget_id, commands, output => this.#failedOutputs.get(output) ?? null);
  }

  #firstFault(
    gadget_id: string,
    commands: readonly GadgetCommand[],
    faultOf: (output: string) => string | null,
  ): string | null {
    const describe = (output: string | null): string | null => {
      const fault = output === null ? null : faultOf(output);
      return fault === null ? null : `output ${output}: ${fault}`;
    };
    // Opening an unlocked door has no command, but its strike counts.
    let first = describe(this.#strikeOf(gadget_id));
    for (const command of commands) first ??= describe(this.#outputOf(command));
    return first;
  }

  #outputOf({ gadget_id, effect }: GadgetCommand): string | null {
    if (effect.type === 'energize_strike' || effect.type === 'release_strike') return this.#strikeOf(gadget_id);
    return effect.type === 'output_on' || effect.type === 'output_off' ? effect.output : null;
  }

  #strikeOf(gadget_id: string): string | null {
    const wiring = this.#wired.get(gadget_id);
    return wiring?.kind === 'door' ? wiring.strike : null;
  }

  execute(commands: readonly GadgetCommand[]): void {
    for (const { gadget_id, effect } of commands) this.executeEffect(gadget_id, effect);
  }

  executeEffect<T extends GadgetStateEffect['type']>(
    gadget_id: string,
    effect: Extract<GadgetStateEffect, { type: T }>,
  ): void {
    const executor = this.#executors[effect.type] as (id: string, effect: GadgetStateEffect) => void;
    executor(gadget_id, effect);
  }

  /** After a change of the snapshot: switches removed gadgets off and starts new ones. */
  rewire(gadgets: readonly SnapshotGadgetEntry[], now: MonotonicTime): void {
    const wirings = new Map(
      gadgets.map((gadget, place) => [gadget.id as string, this.#parts.wiring.gadget(gadget, place, gadgets)]),
    );
    this.#reportUnwired(gadgets.filter(({ id }) => wirings.get(id) === null));
    for (const [id, wiring] of this.#wired) {
      if (JSON.stringify(wirings.get(id)) === JSON.stringify(wiring)) wirings.delete(id);
      else this.#remove(id);
    }
    for (const [id, wiring] of wirings) if (wiring !== null) this.#add(id, wiring, now);
  }

  #reportUnwired(gadgets: readonly SnapshotGadgetEntry[]): void {
    const { faults } = this.#parts;
    const codes = new Map(gadgets.map(gadget => [`gadget:${gadget.id}`, gadget]));
    for (const code of this.#unwired) if (!codes.has(code)) faults.clear(code);
    for (const [code, { name, id }] of codes) faults.raise(code, `No output is wired for the gadget ${name} (${id})`);
    this.#unwired = [...codes.keys()];
  }

  #remove(id: string): void {
    this.execute([...this.#doors.remove(id), ...this.#motors.remove(id)]);
    this.#wired.delete(id);
  }

  #add(id: string, wiring: GadgetWiring, now: MonotonicTime): void {
    this.#wired.set(id, wiring);
    if (wiring.kind !== 'door') return this.execute(this.#motors.add(id, wiring, now));
    const savedMode = Object.hasOwn(this.#parts.savedModes, id) ? this.#parts.savedModes[id] : undefined;
    this.execute(this.#doors.add(id, wiring, savedMode ?? 'normal', now));
    if (wiring.contact !== null) this.#contact(id, wiring, this.#parts.inputs.level(wiring.contact.input), now);
  }

  #contact(id: string, wiring: DoorWiring, level: InputLineState, now: MonotonicTime): void {
    this.#input(id, { type: 'contact', level: contactLevel(wiring, level) }, now);
  }

  #input(id: string, input: DoorInput, now: MonotonicTime): void {
    const plan = this.#doors.plan(id, input, now);
    plan.commit();
    this.execute(plan.commands);
  }

  onInputLevel(input: string, level: InputLineState, now: MonotonicTime): void {
    for (const [id, wiring] of this.#wired) {
      if (wiring.kind !== 'door') continue;
      if (wiring.contact?.input === input) this.#contact(id, wiring, level, now);
      // Unlocks before the event is recorded, so that an exit never waits for the disk.
      if (wiring.exit_button === input && level === 'active') this.#input(id, { type: 'exit_button' }, now);
    }
  }

  /** Null when the action is not wired. */
  plan(gadget_id: string, action_id: string, now: MonotonicTime): GadgetActionPlan | null {
    const wiring = this.#wired.get(gadget_id);
    if (wiring?.kind !== 'door') return this.#motors.plan(gadget_id, action_id, now);
    const action = Object.hasOwn(wiring.actions, action_id) ? wiring.actions[action_id] : undefined;
    return action === undefined ? null : this.#doors.plan(gadget_id, { type: 'action', action }, now);
  }

  timer(now: MonotonicTime): void {
    for (const id of [...this.#doors.ids()].slice(0, 1)) this.#input(id, { type: 'timer' }, now);
    this.execute(this.#motors.timer(now));
  }

  deadline(): MonotonicTime | null {
    return earlier(this.#doors.deadline(), this.#motors.deadline());
  }

  modes(): DoorModeByGadgetId {
    return this.#doors.modes();
  }
}
