import type { DoorInput } from '@lintel/access-core/door/door-machine';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { InputLines, LineLevel } from '@lintel/drivers/ports/input-lines';
import { OutputError, type OutputLines } from '@lintel/drivers/ports/output-lines';
import { DoorBank, type DoorModes } from './doors.ts';
import type { ControllerFaults } from '../faults/fault-registry.ts';
import type { GadgetEffect, Plan, Told } from './gadget-effects.ts';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import { MotorBank } from './motors.ts';
import type { GadgetEntry } from '../snapshot/active-snapshot.ts';
import type { DoorWiring, GadgetWiring, Wiring } from '@lintel/drivers/ports/wiring';

/** Something a gadget says about itself. `at` null: just now. */
export interface Report {
  readonly type: 'state' | 'signal';
  readonly gadget_id: string;
  readonly name: string;
  readonly at: Monotonic | null;
}

interface GadgetBoardParts {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly faults: ControllerFaults;
  readonly keptModes: DoorModes;
  readonly report: (report: Report) => void;
  readonly show: (station: string, kind: FeedbackKind) => void;
}

type Executors = {
  readonly [T in GadgetEffect['type']]: (id: string, effect: Extract<GadgetEffect, { type: T }>) => void;
};

const contactLevel = ({ contact }: DoorWiring, level: LineLevel): Extract<DoorInput, { type: 'contact' }>['level'] =>
  level === 'unknown' || contact === null ? 'unknown' : level === contact.open_when ? 'open' : 'closed';

const earlier = (a: Monotonic | null, b: Monotonic | null): Monotonic | null =>
  a === null || (b !== null && b < a) ? b : a;

/** The gadgets of this device: what moves them, and the lines that they hang on. */
export class GadgetBoard {
  readonly #parts: GadgetBoardParts;
  readonly #doors = new DoorBank();
  readonly #motors = new MotorBank();
  readonly #wired = new Map<string, GadgetWiring>();
  /** Outputs that did not take their last command. */
  readonly #unmoved = new Map<string, string>();
  /** Codes of the faults of gadgets that nothing is wired for. */
  #unwired: readonly string[] = [];

  readonly #executors: Executors = {
    energize_strike: (id, { pulse_ms }) => this.#switchStrike(id, strike => this.#energize(strike, pulse_ms)),
    release_strike: id => this.#switchStrike(id, strike => this.#release(strike)),
    output_on: (_, { output, pulse_ms }) => this.#energize(output, pulse_ms),
    output_off: (_, { output }) => this.#release(output),
    report_state: (gadget_id, effect) =>
      this.#parts.report({ type: 'state', gadget_id, name: effect.state_id, at: 'at' in effect ? effect.at : null }),
    signal: (gadget_id, { signal_id, at }) => this.#parts.report({ type: 'signal', gadget_id, name: signal_id, at }),
    feedback: (id, { kind }) => {
      const wiring = this.#wired.get(id);
      if (wiring?.kind === 'door' && wiring.station !== null) this.#parts.show(wiring.station, kind);
    },
    // Whoever asked is answered from the plan.
    refused: () => undefined,
  };

  constructor(parts: GadgetBoardParts) {
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
      this.#moved(output);
    } catch (error) {
      const { message } = error as Error;
      this.#unmoved.set(output, message);
      this.#parts.faults.raise(`output:${output}`, `output ${output}: ${message}`);
      if (!(error instanceof OutputError)) throw error;
    }
  }

  #moved(output: string): void {
    this.#unmoved.delete(output);
    this.#parts.faults.clear(`output:${output}`);
  }

  /** A board that comes back puts its lines right by itself, so nothing is left to be said of them. */
  someOutputsAreBack(): void {
    for (const output of this.#unmoved.keys()) if (this.#parts.outputs.faultOf(output) === null) this.#moved(output);
  }

  /** Why a gadget cannot do this now: a line that it needs is on a board that does not obey. Null when all do. */
  obstacle(gadget_id: string, told: readonly Told[]): string | null {
    return this.#firstFault(gadget_id, told, output => this.#parts.outputs.faultOf(output));
  }

  /** Why a gadget has not done what it was just told to. */
  failure(gadget_id: string, told: readonly Told[]): string | null {
    return this.#firstFault(gadget_id, told, output => this.#unmoved.get(output) ?? null);
  }

  #firstFault(gadget_id: string, told: readonly Told[], faultOf: (output: string) => string | null): string | null {
    const inWords = (output: string | null): string | null => {
      const fault = output === null ? null : faultOf(output);
      return fault === null ? null : `output ${output}: ${fault}`;
    };
    // A door that stands unlocked is told nothing by an opening, and hangs on its strike all the same.
    let first = inWords(this.#strikeOf(gadget_id));
    for (const one of told) first ??= inWords(this.#outputOf(one));
    return first;
  }

  #outputOf({ gadget_id, effect }: Told): string | null {
    if (effect.type === 'energize_strike' || effect.type === 'release_strike') return this.#strikeOf(gadget_id);
    return effect.type === 'output_on' || effect.type === 'output_off' ? effect.output : null;
  }

  #strikeOf(gadget_id: string): string | null {
    const wiring = this.#wired.get(gadget_id);
    return wiring?.kind === 'door' ? wiring.strike : null;
  }

  execute(told: readonly Told[]): void {
    for (const { gadget_id, effect } of told) this.executeOne(gadget_id, effect);
  }

  executeOne<T extends GadgetEffect['type']>(gadget_id: string, effect: Extract<GadgetEffect, { type: T }>): void {
    const executor = this.#executors[effect.type] as (id: string, effect: GadgetEffect) => void;
    executor(gadget_id, effect);
  }

  /** After a change of the snapshot: gadgets that are gone are switched off, those that are new are started. */
  rewire(gadgets: readonly GadgetEntry[], now: Monotonic): void {
    const wanted = new Map(
      gadgets.map((gadget, place) => [gadget.id as string, this.#parts.wiring.gadget(gadget, place, gadgets)]),
    );
    this.#tellUnwired(gadgets.filter(({ id }) => wanted.get(id) === null));
    for (const [id, wiring] of this.#wired) {
      if (JSON.stringify(wanted.get(id)) === JSON.stringify(wiring)) wanted.delete(id);
      else this.#remove(id);
    }
    for (const [id, wiring] of wanted) if (wiring !== null) this.#add(id, wiring, now);
  }

  #tellUnwired(gadgets: readonly GadgetEntry[]): void {
    const { faults } = this.#parts;
    const codes = new Map(gadgets.map(gadget => [`gadget:${gadget.id}`, gadget]));
    for (const code of this.#unwired) if (!codes.has(code)) faults.clear(code);
    for (const [code, { name, id }] of codes) faults.raise(code, `nothing is wired for the gadget ${name} (${id})`);
    this.#unwired = [...codes.keys()];
  }

  #remove(id: string): void {
    this.execute([...this.#doors.remove(id), ...this.#motors.remove(id)]);
    this.#wired.delete(id);
  }

  #add(id: string, wiring: GadgetWiring, now: Monotonic): void {
    this.#wired.set(id, wiring);
    if (wiring.kind !== 'door') return this.execute(this.#motors.add(id, wiring, now));
    const kept = Object.hasOwn(this.#parts.keptModes, id) ? this.#parts.keptModes[id] : undefined;
    this.execute(this.#doors.add(id, wiring, kept ?? 'normal', now));
    if (wiring.contact !== null) this.#contact(id, wiring, this.#parts.inputs.level(wiring.contact.input), now);
  }

  #contact(id: string, wiring: DoorWiring, level: LineLevel, now: Monotonic): void {
    this.#input(id, { type: 'contact', level: contactLevel(wiring, level) }, now);
  }

  #input(id: string, input: DoorInput, now: Monotonic): void {
    const plan = this.#doors.plan(id, input, now);
    plan.commit();
    this.execute(plan.told);
  }

  lineChanged(input: string, level: LineLevel, now: Monotonic): void {
    for (const [id, wiring] of this.#wired) {
      if (wiring.kind !== 'door') continue;
      if (wiring.contact?.input === input) this.#contact(id, wiring, level, now);
      // Nobody waits for a disk to get out: this is told afterwards, as a signal.
      if (wiring.exit_button === input && level === 'active') this.#input(id, { type: 'exit_button' }, now);
    }
  }

  /** Null when nothing is wired for this action. */
  plan(gadget_id: string, action_id: string, now: Monotonic): Plan | null {
    const wiring = this.#wired.get(gadget_id);
    if (wiring?.kind !== 'door') return this.#motors.plan(gadget_id, action_id, now);
    const action = Object.hasOwn(wiring.actions, action_id) ? wiring.actions[action_id] : undefined;
    return action === undefined ? null : this.#doors.plan(gadget_id, { type: 'action', action }, now);
  }

  timer(now: Monotonic): void {
    for (const id of [...this.#doors.ids()].slice(0, 1)) this.#input(id, { type: 'timer' }, now);
    this.execute(this.#motors.timer(now));
  }

  deadline(): Monotonic | null {
    return earlier(this.#doors.deadline(), this.#motors.deadline());
  }

  modes(): DoorModes {
    return this.#doors.modes();
  }
}
