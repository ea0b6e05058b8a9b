import type { GadgetId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { InputRule } from '@lintel/access-core/input-rules';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { createController, type RunningController } from '@lintel/device-runtime/main';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import { dropFolder, scratchFolder } from '../scratch-folder.ts';
import { entryView } from './entry-view.ts';
import { decisionInWords, happeningInWords } from './happening-words.ts';
import { type TrialGadget, trialGadgets } from './trial-gadgets.ts';
import { TrialParts } from './trial-parts.ts';
import { demoMember, demoMembers, trialSlice } from './trial-slice.ts';

export interface TrialOptions {
  readonly profile: Profile;
  readonly rules: readonly InputRule[];
  readonly rulesFile: string | null;
  /** Told of whatever has happened, in words. */
  readonly tell: (words: string) => void;
}

const MOST_HAPPENED = 200;
const stranger = '04ffffffffffff';

type Entry = Pick<Extract<LiveHappening, { type: 'entry' }>, 'phase' | 'rule'>;

const idle: Entry = { phase: 'idle', rule: null };

/** The firmware with a technician's files, and nobody but the demo member: to be tried before the visit. */
export class TrialDoor {
  readonly assumed: readonly string[];
  readonly #options: TrialOptions;
  readonly #parts: TrialParts;
  readonly #device: RunningController;
  readonly #dataDir: string;
  readonly #gadgets: readonly TrialGadget[];
  readonly #happened: string[] = [];
  readonly #entries = new Map<string, Entry>();
  #typed = '';
  #decision = '';
  #station = 0;
  #door = 0;

  private constructor(
    options: TrialOptions,
    parts: TrialParts,
    dataDir: string,
    known: ReturnType<typeof trialGadgets>,
  ) {
    this.#options = options;
    this.#parts = parts;
    this.#dataDir = dataDir;
    this.#gadgets = known.gadgets;
    this.assumed = known.assumed;
    this.#device = createController({
      ...parts.parts,
      dataDir,
      log: () => undefined,
      clock: new ProcessClock(),
      system: { now: () => instant(Date.now()), isSynchronized: () => true },
      peers: {
        execute: async ({ gadget_id, action_id }) => {
          this.#note(`GRANTED  the other controller is asked to ${action_id} ${this.#nameOf(gadget_id)}`);
          return { outcome: 'done' };
        },
      },
    });
    this.#device.controller.technician.live.listen(happening => this.#happens(happening));
  }

  static async open(options: TrialOptions): Promise<TrialDoor> {
    const dataDir = scratchFolder();
    const parts = await TrialParts.open(options.profile, new ProcessClock(), dataDir);
    const known = trialGadgets(options.profile, options.rules);
    const door = new TrialDoor(options, parts, dataDir, known);
    const { controller, digestKey } = door.#device;
    const received = await controller.receiveSnapshot(trialSlice(known.gadgets, options.rules, demoMembers, digestKey));
    for (const words of known.assumed) door.#note(words);
    if (received.kind !== 'applied') throw new Error('the firmware has not taken what it should decide by');
    return door;
  }

  readonly #nameOf = (id: string): string => this.#gadgets.find(gadget => gadget.id === id)?.name ?? id;

  #note(words: string): void {
    this.#happened.push(words);
    if (this.#happened.length > MOST_HAPPENED) this.#happened.shift();
    if (/^(?:GRANTED|DENIED)/.test(words)) this.#decision = words;
    this.#options.tell(words);
  }

  #happens(happening: LiveHappening): void {
    if (happening.type === 'entry') {
      this.#entries.set(happening.station, happening);
      if (happening.phase === 'idle') this.#typed = '';
    }
    if (happening.type === 'feedback' && ['cleared', 'dropped', 'forgotten'].includes(happening.kind))
      this.#note(`what was typed is ${happening.kind}`);
    if (happening.type === 'event') this.#decision = decisionInWords(happening.event, this.#nameOf) ?? this.#decision;
    const words = happeningInWords(happening, this.#nameOf);
    if (words !== null) this.#note(words);
  }

  get #place() {
    const { stations } = this.#options.profile;
    const id = Object.keys(stations)[this.#station] ?? '';
    return { id, keypad: stations[id]?.keypad, reader: stations[id]?.reader };
  }

  key(key: string): void {
    const { keypad } = this.#place;
    if (keypad === undefined) return this.#note('this station has no keypad');
    this.#typed += key;
    this.#parts.press(keypad, key);
    if ((this.#entries.get(this.#place.id) ?? idle).phase === 'idle') this.#typed = '';
  }

  card(isStranger = false): void {
    const { reader } = this.#place;
    if (reader === undefined) return this.#note('this station has no reader');
    this.#parts.tap(reader, isStranger ? stranger : demoMember.card);
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

  exit(): void {
    const door = this.#doors[this.#door];
    const button = door?.exit_button;
    if (door === undefined) return this.#note('this product has no door');
    if (button === undefined) return this.#note('this door has no exit button');
    this.#parts.pressButton(button);
  }

  /** Opens an unlocked door, or closes an open one; `isForced` opens a locked one too. */
  moveLeaf(isForced: boolean): void {
    const door = this.#doors[this.#door];
    if (door === undefined) return this.#note('this product has no door');
    if (door.contact === undefined) return this.#note('this door has no contact: nobody would know');
    const { input, open_when } = door.contact;
    const isOpen = this.#parts.level(input) === open_when;
    if (!isOpen && !isForced && !this.#parts.isOn(door.strike)) return this.#note(`${door.name} is locked`);
    this.#parts.move(input, isOpen === (open_when === 'active') ? 'inactive' : 'active');
  }

  #stateOf(id: GadgetId): string {
    return this.#device.controller.gadgetStates().find(({ gadget_id }) => gadget_id === id)?.state_id ?? '';
  }

  #doorView(door: TrialDoorGadget) {
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
    // Null without such a light.
    const lit = (output: string | undefined): boolean | null =>
      output === undefined ? null : this.#parts.isOn(output);
    const { stations } = this.#options.profile;
    return this.#device.controller.technician.stations().map(({ id, keypad, reader, locked_for_ms }) => {
      const { green, red, buzzer } = stations[id]?.indicator ?? {};
      return {
        id,
        hasKeypad: keypad,
        hasReader: reader,
        green: lit(green),
        red: lit(red),
        buzzer: lit(buzzer),
        lockedForMs: locked_for_ms,
      };
    });
  }

  /** What the terminal shows. */
  view() {
    const { profile, rules, rulesFile } = this.#options;
    const stations = this.#stationViews();
    const [first] = this.#gadgets;
    const told = this.#entries.get(this.#place.id) ?? idle;
    const lockedForMs = stations[this.#station]?.lockedForMs ?? 0;
    const parts = { told, rules, nameOf: this.#nameOf, typed: this.#typed, lockedForMs };
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
      entry: entryView(parts, first === undefined ? '' : `${first.actions[0]?.id ?? ''} ${first.name}`),
      decision: this.#decision,
      /** The newest last. */
      happened: this.#happened as readonly string[],
      faults: this.#device.controller.faults().map(({ message }) => message),
    };
  }

  async close(): Promise<void> {
    await this.#device.stop();
    await this.#parts.parts.close();
    dropFolder(this.#dataDir);
  }
}

type TrialDoorGadget = Extract<Profile['gadgets'][number], { kind: 'door' }>;

export type TrialView = ReturnType<TrialDoor['view']>;
