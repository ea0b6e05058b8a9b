import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { SimulatedBusSettings } from '@lintel/drivers/definition';
import { SimulatedInputs } from './simulated-inputs.ts';
import { SimulatedKeypad } from './simulated-keypad.ts';
import { SimulatedOutputs } from './simulated-outputs.ts';
import { SimulatedReader } from './simulated-reader.ts';
import type { InputLineState, PartFault } from '@lintel/drivers/interfaces';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { SimulatedPartsCommand } from './parse-parts-command.ts';

const unplugged: PartFault = { kind: 'absent', message: 'unplugged' };

type CommandOf<K extends string> = Extract<SimulatedPartsCommand, Record<K, unknown>>;

const partNamed = <T>(parts: ReadonlyMap<string, T>, name: string | undefined): T | undefined =>
  name === undefined ? [...parts.values()][0] : parts.get(name);

/** The parts of a simulated bus, and the commands that operate them. */
export class SimulatedParts {
  readonly outputs: SimulatedOutputs;
  readonly inputs = new SimulatedInputs();
  readonly keypads: ReadonlyMap<string, SimulatedKeypad>;
  readonly readers: ReadonlyMap<string, SimulatedReader>;
  readonly #bus: SimulatedBusSettings;
  readonly #profile: Pick<Profile, 'stations' | 'other_gadgets'>;
  readonly #unplugged = new Set<string>();
  readonly #setInputs = new Map<string, InputLineState>();
  readonly #stepClock: ((ms: number) => void) | undefined;

  constructor(
    bus: SimulatedBusSettings,
    profile: Pick<Profile, 'stations' | 'other_gadgets'>,
    clock: MonotonicClock,
    stepClock?: (ms: number) => void,
  ) {
    this.#bus = bus;
    this.#profile = profile;
    this.#stepClock = stepClock;
    this.outputs = new SimulatedOutputs(clock, this.#allowsAnyLine ? null : Object.keys(bus.outputs));
    this.keypads = new Map(bus.keypads.map(name => [name, new SimulatedKeypad()]));
    this.readers = new Map(bus.readers.map(name => [name, new SimulatedReader(clock)]));
  }

  /** Gadgets that an administrator adds use lines that the profile does not list. */
  get #allowsAnyLine(): boolean {
    return this.#profile.other_gadgets === 'simulated';
  }

  /** The parts and their levels, for a new client. */
  describe(): object {
    const inputs = new Map<string, InputLineState>(Object.keys(this.#bus.inputs).map(name => [name, 'inactive']));
    for (const name of [...inputs.keys(), ...this.#setInputs.keys()]) inputs.set(name, this.inputs.level(name));
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

  /** Returns null on success, otherwise the reason for the failure. */
  async execute(command: SimulatedPartsCommand): Promise<string | null> {
    if ('key' in command) return this.#type(command.key, command.station);
    if ('keys' in command) return this.#type(command.keys, command.station);
    if ('card' in command) return this.#tap(command);
    if ('phone' in command) return this.#tapPhone(command);
    if ('qr_code' in command) return this.#showQrCode(command);
    if ('input' in command) return this.#move(command.input, command.level);
    if ('press' in command) return this.#move(command.press, 'active') ?? this.#move(command.press, 'inactive');
    if ('clock_stepped_ms' in command) return this.#step(command.clock_stepped_ms);
    return 'unplug' in command ? this.#plug(command.unplug, unplugged) : this.#plug(command.plug, null);
  }

  #type(keys: string, station: string | undefined): string | null {
    const name = this.#partOf('keypad', station);
    if (name === undefined) return 'unknown station, or station without a keypad';
    if (!this.#unplugged.has(name)) partNamed(this.keypads, name)?.press(keys);
    return null;
  }

  #readerOf(station: string | undefined): SimulatedReader | string | null {
    const name = this.#partOf('reader', station);
    if (name === undefined) return 'unknown station, or station without a reader';
    return this.#unplugged.has(name) ? null : (partNamed(this.readers, name) ?? null);
  }

  #tap({ card, station }: CommandOf<'card'>): string | null {
    const reader = this.#readerOf(station);
    if (reader === null || typeof reader === 'string') return reader;
    return reader.tap(card) ? null : 'invalid card uid: must be 4, 7 or 10 bytes in hexadecimal';
  }

  async #tapPhone({ phone, station }: CommandOf<'phone'>): Promise<string | null> {
    const reader = this.#readerOf(station);
    if (reader === null || typeof reader === 'string') return reader;
    return (await reader.tapPhone(phone)) ? null : 'authentication of the phone failed: a member token is required';
  }

  #showQrCode({ qr_code, station }: CommandOf<'qr_code'>): string | null {
    const reader = this.#readerOf(station);
    if (reader === null || typeof reader === 'string') return reader;
    return reader.showQrCode(qr_code) ? null : 'the QR code must contain a magic link';
  }

  #move(input: string, level: InputLineState): string | null {
    if (!this.#allowsAnyLine && !Object.hasOwn(this.#bus.inputs, input)) return 'unknown input';
    this.#setInputs.set(input, level);
    this.inputs.set(input, level);
    return null;
  }

  #step(ms: number): string | null {
    if (this.#stepClock === undefined) return 'the clock of this controller cannot be changed';
    this.#stepClock(ms);
    return null;
  }

  #plug(part: string, fault: PartFault | null): string | null {
    const found = [
      ...(part === 'inputs' ? [this.inputs] : []),
      ...(part === 'outputs' ? [this.outputs] : []),
      ...[this.keypads.get(part), this.readers.get(part)].filter(device => device !== undefined),
    ];
    if (found.length === 0) return `unknown part; parts: ${this.#partNames().join(', ')}`;
    if (fault === null) this.#unplugged.delete(part);
    else this.#unplugged.add(part);
    for (const device of found) device.fail(fault);
    return null;
  }

  #partNames(): string[] {
    return [...this.keypads.keys(), ...this.readers.keys(), 'inputs', 'outputs'];
  }
}
