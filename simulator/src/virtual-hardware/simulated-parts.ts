import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { BusOf } from '@lintel/hardware-profiles/buses';
import { SimulatedInputs } from './simulated-inputs.ts';
import { SimulatedKeypad } from './simulated-keypad.ts';
import { SimulatedOutputs } from './simulated-outputs.ts';
import { SimulatedReader } from './simulated-reader.ts';
import type { LineLevel } from '@lintel/drivers/ports/input-lines';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PartFault } from '@lintel/drivers/ports/part-fault';
import type { PartsOrder } from './parts-order.ts';

const unplugged: PartFault = { kind: 'absent', message: 'unplugged' };

type OrderOf<K extends string> = Extract<PartsOrder, Record<K, unknown>>;

const pick = <T>(parts: ReadonlyMap<string, T>, name: string | undefined): T | undefined =>
  name === undefined ? [...parts.values()][0] : parts.get(name);

/** The parts of a simulated bus, and somebody's hands on them. */
export class SimulatedParts {
  readonly outputs: SimulatedOutputs;
  readonly inputs = new SimulatedInputs();
  readonly keypads: ReadonlyMap<string, SimulatedKeypad>;
  readonly readers: ReadonlyMap<string, SimulatedReader>;
  readonly #bus: BusOf<'simulated'>;
  readonly #profile: Pick<Profile, 'stations' | 'other_gadgets'>;
  readonly #unplugged = new Set<string>();
  readonly #moved = new Map<string, LineLevel>();
  readonly #stepClock: ((ms: number) => void) | undefined;

  constructor(
    bus: BusOf<'simulated'>,
    profile: Pick<Profile, 'stations' | 'other_gadgets'>,
    clock: MonotonicClock,
    stepClock?: (ms: number) => void,
  ) {
    this.#bus = bus;
    this.#profile = profile;
    this.#stepClock = stepClock;
    this.outputs = new SimulatedOutputs(clock, this.#hasAny ? null : Object.keys(bus.outputs));
    this.keypads = new Map(bus.keypads.map(name => [name, new SimulatedKeypad()]));
    this.readers = new Map(bus.readers.map(name => [name, new SimulatedReader(clock)]));
  }

  /** Gadgets that the desk adds bring lines of their own. */
  get #hasAny(): boolean {
    return this.#profile.other_gadgets === 'simulated';
  }

  /** What there is, and how it stands, for whoever has just come. */
  describe(): object {
    const inputs = new Map<string, LineLevel>(Object.keys(this.#bus.inputs).map(name => [name, 'inactive']));
    for (const name of [...inputs.keys(), ...this.#moved.keys()]) inputs.set(name, this.inputs.level(name));
    return {
      stations: Object.keys(this.#profile.stations),
      inputs: Object.fromEntries(inputs),
      outputs: Object.fromEntries(Object.keys(this.#bus.outputs).map(name => [name, this.outputs.isOn(name)])),
      unplugged: [...this.#unplugged],
    };
  }

  #partOf(kind: 'keypad' | 'reader', station: string | undefined): string | undefined {
    const { stations } = this.#profile;
    const [first] = Object.keys(stations);
    const name = station ?? first ?? '';
    return Object.hasOwn(stations, name) ? stations[name]?.[kind] : undefined;
  }

  /** Null when it is done, otherwise why it cannot be. */
  async obey(order: PartsOrder): Promise<string | null> {
    if ('key' in order) return this.#type(order.key, order.station);
    if ('keys' in order) return this.#type(order.keys, order.station);
    if ('card' in order) return this.#tap(order);
    if ('phone' in order) return this.#tapPhone(order);
    if ('input' in order) return this.#move(order.input, order.level);
    if ('press' in order) return this.#move(order.press, 'active') ?? this.#move(order.press, 'inactive');
    if ('clock_stepped_ms' in order) return this.#step(order.clock_stepped_ms);
    return 'unplug' in order ? this.#plug(order.unplug, unplugged) : this.#plug(order.plug, null);
  }

  #type(keys: string, station: string | undefined): string | null {
    const name = this.#partOf('keypad', station);
    if (name === undefined) return 'there is no such station with a keypad';
    if (!this.#unplugged.has(name)) pick(this.keypads, name)?.press(keys);
    return null;
  }

  #readerOf(station: string | undefined): SimulatedReader | string | null {
    const name = this.#partOf('reader', station);
    if (name === undefined) return 'there is no such station with a reader';
    return this.#unplugged.has(name) ? null : (pick(this.readers, name) ?? null);
  }

  #tap({ card, station }: OrderOf<'card'>): string | null {
    const reader = this.#readerOf(station);
    if (reader === null || typeof reader === 'string') return reader;
    return reader.tap(card) ? null : 'no card has such a uid: 4, 7 or 10 bytes in hexadecimal';
  }

  async #tapPhone({ phone, station }: OrderOf<'phone'>): Promise<string | null> {
    const reader = this.#readerOf(station);
    if (reader === null || typeof reader === 'string') return reader;
    return (await reader.tapPhone(phone)) ? null : 'the phone has not proven anything: it needs a member token';
  }

  #move(input: string, level: LineLevel): string | null {
    if (!this.#hasAny && !Object.hasOwn(this.#bus.inputs, input)) return 'there is no such input';
    this.#moved.set(input, level);
    this.inputs.set(input, level);
    return null;
  }

  #step(ms: number): string | null {
    if (this.#stepClock === undefined) return 'the clock of this machine cannot be stepped';
    this.#stepClock(ms);
    return null;
  }

  #plug(part: string, fault: PartFault | null): string | null {
    const found = [
      ...(part === 'inputs' ? [this.inputs] : []),
      ...(part === 'outputs' ? [this.outputs] : []),
      ...[this.keypads.get(part), this.readers.get(part)].filter(one => one !== undefined),
    ];
    if (found.length === 0) return `there is no such part: ${this.#partNames().join(', ')}`;
    if (fault === null) this.#unplugged.delete(part);
    else this.#unplugged.add(part);
    for (const one of found) one.fail(fault);
    return null;
  }

  #partNames(): string[] {
    return [...this.keypads.keys(), ...this.readers.keys(), 'inputs', 'outputs'];
  }
}
