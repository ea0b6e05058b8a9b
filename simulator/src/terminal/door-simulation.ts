import type { GadgetId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { InputRule } from '@lintel/access-core/input-rules';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { createController, type ControllerInstance } from '@lintel/device-runtime/main';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import { removeScratchFolder, createScratchFolder } from '../scratch-folder.ts';
import { describeKeyEntry } from './describe-key-entry.ts';
import { formatTerminalDecision, formatTerminalLiveMessage } from './format-event.ts';
import { type MappedGadget, mapInputRulesToGadgets } from './map-input-rules-to-gadgets.ts';
import { SimulatedHardware } from './simulated-hardware-from-profile.ts';
import {
  terminalDemoMemberCredentials,
  terminalDemoSnapshotMembers,
  createLocalSnapshotMessage,
} from './local-snapshot-message.ts';

export interface DoorSimulationOptions {
  readonly profile: Profile;
  readonly rules: readonly InputRule[];
  readonly rulesFile: string | null;
  /** Called with each line of the event history. */
  readonly onText: (text: string) => void;
}

const MAX_HISTORY = 200;
const UNKNOWN_CARD = '04ffffffffffff';

type Entry = Pick<Extract<TechnicianLiveMessage, { type: 'entry' }>, 'phase' | 'rule'>;

const idle: Entry = { phase: 'idle', rule: null };

/** The firmware with a profile, input rules, simulated hardware and the demo member. */
export class DoorSimulation {
  readonly assumptions: readonly string[];
  readonly #options: DoorSimulationOptions;
  readonly #parts: SimulatedHardware;
  readonly #device: ControllerInstance;
  readonly #dataDir: string;
  readonly #gadgets: readonly MappedGadget[];
  readonly #history: string[] = [];
  readonly #entries = new Map<string, Entry>();
  #typed = '';
  #decision = '';
  #station = 0;
  #door = 0;

  private constructor(
    options: DoorSimulationOptions,
    parts: SimulatedHardware,
    dataDir: string,
    mapping: ReturnType<typeof mapInputRulesToGadgets>,
  ) {
    this.#options = options;
    this.#parts = parts;
    this.#dataDir = dataDir;
    this.#gadgets = mapping.gadgets;
    this.assumptions = mapping.assumptions;
    this.#device = createController({
      ...parts.parts,
      dataDir,
      log: () => undefined,
      clock: new ProcessClock(),
      system: { now: () => instant(Date.now()), isSynchronized: () => true },
      peers: {
        execute: async ({ gadget_id, action_id }) => {
          this.#log(`GRANTED  action sent to another controller: ${action_id} ${this.#nameOf(gadget_id)}`);
          return { outcome: 'done' };
        },
      },
    });
    this.#device.controller.technician.live.listen(message => this.#handleLive(message));
  }

  static async open(options: DoorSimulationOptions): Promise<DoorSimulation> {
    const dataDir = createScratchFolder();
    const parts = await SimulatedHardware.open(options.profile, new ProcessClock(), dataDir);
    const mapping = mapInputRulesToGadgets(options.profile, options.rules);
    const door = new DoorSimulation(options, parts, dataDir, mapping);
    const { controller, digestKey } = door.#device;
    const received = await controller.receiveSnapshot(
      createLocalSnapshotMessage(mapping.gadgets, options.rules, terminalDemoSnapshotMembers, digestKey),
    );
    for (const text of mapping.assumptions) door.#log(text);
    if (received.kind !== 'applied') throw new Error('The firmware rejected the access snapshot');
    return door;
  }

  readonly #nameOf = (id: string): string => this.#gadgets.find(gadget => gadget.id === id)?.name ?? id;

  #log(text: string): void {
    this.#history.push(text);
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    if (/^(?:GRANTED|DENIED)/.test(text)) this.#decision = text;
    this.#options.onText(text);
  }

  #handleLive(message: TechnicianLiveMessage): void {
    if (message.type === 'entry') {
      this.#entries.set(message.station, message);
      if (message.phase === 'idle') this.#typed = '';
    }
    if (message.type === 'feedback' && ['cleared', 'dropped', 'forgotten'].includes(message.kind))
      this.#log(`entry ${message.kind}`);
    if (message.type === 'event')
      this.#decision = formatTerminalDecision(message.event, this.#nameOf) ?? this.#decision;
    const text = formatTerminalLiveMessage(message, this.#nameOf);
    if (text !== null) this.#log(text);
  }

  get #currentStation() {
    const { stations } = this.#options.profile;
    const id = Object.keys(stations)[this.#station] ?? '';
    return { id, keypad: stations[id]?.keypad, reader: stations[id]?.reader };
  }

  pressKey(key: string): void {
    const { keypad } = this.#currentStation;
    if (keypad === undefined) return this.#log('This station has no keypad');
    this.#typed += key;
    this.#parts.pressKeys(keypad, key);
    if ((this.#entries.get(this.#currentStation.id) ?? idle).phase === 'idle') this.#typed = '';
  }

  tapCard(isUnknown = false): void {
    const { reader } = this.#currentStation;
    if (reader === undefined) return this.#log('This station has no reader');
    this.#parts.tapCard(reader, isUnknown ? UNKNOWN_CARD : terminalDemoMemberCredentials.card);
  }

  nextStation(): void {
    this.#station = (this.#station + 1) % Math.max(1, Object.keys(this.#options.profile.stations).length);
    this.#typed = '';
  }

  nextDoor(): void {
    this.#door = (this.#door + 1) % Math.max(1, this.#doors.length);
  }

  get #doors() {
    return this.#options.profile.gadgets.filter(gadget => gadget.kind === 'door');
  }

  pressExit(): void {
    const door = this.#doors[this.#door];
    const button = door?.exit_button;
    if (door === undefined) return this.#log('This profile has no door');
    if (button === undefined) return this.#log('This door has no exit button');
    this.#parts.pressButton(button);
  }

  /** Opens an unlocked door or closes an open door. `isForced` also opens a locked door. */
  moveLeaf(isForced: boolean): void {
    const door = this.#doors[this.#door];
    if (door === undefined) return this.#log('This profile has no door');
    if (door.contact === undefined) return this.#log('This door has no contact, so its position is unknown');
    const { input, open_when } = door.contact;
    const isOpen = this.#parts.level(input) === open_when;
    if (!isOpen && !isForced && !this.#parts.isOn(door.strike)) return this.#log(`${door.name} is locked`);
    this.#parts.setInput(input, isOpen === (open_when === 'active') ? 'inactive' : 'active');
  }

  #stateOf(id: GadgetId): string {
    return this.#device.controller.gadgetStates().find(({ gadget_id }) => gadget_id === id)?.state_id ?? '';
  }

  #doorView(door: DoorGadget) {
    const { contact } = door;
    return {
      name: door.name,
      strike: door.strike,
      isUnlocked: this.#parts.isOn(door.strike),
      // Null without a contact.
      isOpen: contact === undefined ? null : this.#parts.level(contact.input) === contact.open_when,
      hasExitButton: door.exit_button !== undefined,
      state: this.#stateOf(this.#gadgets.find(({ key }) => key === door.key)!.id),
    };
  }

  #stationViews() {
    // Null without this light.
    const isLit = (output: string | undefined): boolean | null =>
      output === undefined ? null : this.#parts.isOn(output);
    const { stations } = this.#options.profile;
    return this.#device.controller.technician.stations().map(({ id, keypad, reader, locked_for_ms }) => {
      const { green, red, buzzer } = stations[id]?.indicator ?? {};
      return {
        id,
        hasKeypad: keypad,
        hasReader: reader,
        green: isLit(green),
        red: isLit(red),
        buzzer: isLit(buzzer),
        lockedForMs: locked_for_ms,
      };
    });
  }

  /** What the terminal shows. */
  view() {
    const { profile, rules, rulesFile } = this.#options;
    const stations = this.#stationViews();
    const [first] = this.#gadgets;
    const entry = this.#entries.get(this.#currentStation.id) ?? idle;
    const lockedForMs = stations[this.#station]?.lockedForMs ?? 0;
    const context = { entry, rules, nameOf: this.#nameOf, typed: this.#typed, lockedForMs };
    return {
      product: profile.name,
      rulesFile,
      stations,
      station: this.#station,
      doors: this.#doors.map(door => this.#doorView(door)),
      door: this.#door,
      others: this.#gadgets
        .filter(({ key }) => key !== null && !this.#doors.some(door => door.key === key))
        .map(({ id, name }) => ({ name, state: this.#stateOf(id) })),
      entry: describeKeyEntry(context, first === undefined ? '' : `${first.actions[0]?.id ?? ''} ${first.name}`),
      decision: this.#decision,
      /** Newest last. */
      history: this.#history as readonly string[],
      faults: this.#device.controller.faults().map(({ message }) => message),
    };
  }

  async close(): Promise<void> {
    await this.#device.stop();
    await this.#parts.parts.close();
    removeScratchFolder(this.#dataDir);
  }
}

type DoorGadget = Extract<Profile['gadgets'][number], { kind: 'door' }>;

export type DoorSimulationState = ReturnType<DoorSimulation['view']>;
