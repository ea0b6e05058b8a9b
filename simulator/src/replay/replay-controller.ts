import { type Instant, instant } from '@lintel/access-core/instant';
import type { InputRule } from '@lintel/access-core/input-rules';
import { createController, type ControllerInstance } from '@lintel/device-runtime/main';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import { ScenarioClock } from '../scenario/scenario-clock.ts';
import { removeScratchFolder, createScratchFolder } from '../scratch-folder.ts';
import type { MappedGadget } from '../terminal/map-input-rules-to-gadgets.ts';
import { SimulatedHardware } from '../terminal/simulated-hardware-from-profile.ts';
import { createLocalSnapshotMessage } from '../terminal/local-snapshot-message.ts';
import type { ParsedSupportBundle } from './read-support-bundle.ts';
import { selectReplayProfile } from './select-replay-profile.ts';
import type { PlaceholderCredentials } from './placeholder-credentials.ts';

/** Alarms fire at their exact time this long after an input: relocks, door alarms, the end of an entry. */
const EXACT_MS = 45_000;
const STEP_MS = 60_000;
/** No operation of a door takes longer. Time before it is skipped. */
const LONGEST_OPERATION_MS = 3_600_000;

type Named = readonly { readonly id: string; readonly name: string }[];

const named = (ids: Iterable<string | null | undefined>): Named =>
  [...new Set(ids)].flatMap(id => (id == null ? [] : [{ id, name: id }]));

/** A bundle does not list the states and signals of a gadget. They are collected from its events. */
const gadgetsOfBundle = ({ bundle, events }: ParsedSupportBundle): readonly MappedGadget[] => {
  const eventsOf = (id: string): readonly TechnicianEventResponse[] =>
    events.filter(({ gadget_id }) => gadget_id === id);
  const own = bundle.status.gadgets.map(
    ({ gadget_id, name, actions, state_id }): MappedGadget => ({
      id: gadget_id,
      key: name,
      name,
      actions,
      states: named([state_id, ...eventsOf(gadget_id).map(event => event.gadget_state_id)]),
      signals: named(['exit_button', ...eventsOf(gadget_id).map(event => event.gadget_signal_id)]),
    }),
  );
  const remote = [...Map.groupBy(bundle.input_rules, rule => rule.gadget_id)]
    .filter(([id]) => !own.some(gadget => gadget.id === id))
    .map(
      ([id, rules]): MappedGadget => ({
        id,
        key: null,
        name: id,
        actions: named(rules.map(rule => rule.action_id)),
        states: [],
        signals: [],
      }),
    );
  return [...own, ...remote];
};

const doorsOf = (profile: Profile) => profile.gadgets.filter(gadget => gadget.kind === 'door');

/** The current firmware with the rules and wiring of the bundle. Its clock follows the events of the bundle. */
export class ReplayedController {
  readonly rules: readonly InputRule[];
  readonly profile: Profile;
  readonly recorded: TechnicianEventResponse[] = [];
  readonly #clock: ScenarioClock;
  readonly #parts: SimulatedHardware;
  readonly #device: ControllerInstance;
  readonly #dataDir: string;

  private constructor(
    read: ParsedSupportBundle,
    profile: Profile,
    clock: ScenarioClock,
    parts: SimulatedHardware,
    dataDir: string,
  ) {
    this.rules = read.bundle.input_rules;
    this.profile = profile;
    this.#clock = clock;
    this.#parts = parts;
    this.#dataDir = dataDir;
    this.#device = createController({
      ...parts.parts,
      dataDir,
      log: () => undefined,
      clock: clock.machine(),
      system: { now: () => clock.instant, isSynchronized: () => true },
      peers: { execute: async () => ({ outcome: 'done' }) },
    });
    this.#device.controller.technician.live.listen(message => {
      if (message.type === 'event') this.recorded.push(message.event);
    });
  }

  /** Null when the current firmware does not support the profile in the bundle. */
  static async open(
    read: ParsedSupportBundle,
    credentials: PlaceholderCredentials,
  ): Promise<ReplayedController | null> {
    const { profile } = selectReplayProfile(read);
    if (profile === null) return null;
    const first = read.events[0]?.occurred_at ?? read.bundle.made_at;
    const clock = new ScenarioClock(instant(toInstant(first) - STEP_MS));
    const dataDir = createScratchFolder();
    const parts = await SimulatedHardware.open(profile, clock.machine(), dataDir);
    const door = new ReplayedController(read, profile, clock, parts, dataDir);
    const { controller, digestKey } = door.#device;
    const slice = createLocalSnapshotMessage(
      gadgetsOfBundle(read),
      read.bundle.input_rules,
      credentials.members,
      digestKey,
    );
    const { kind } = await controller.receiveSnapshot(slice);
    if (kind !== 'applied') throw new Error('The firmware rejected the rules of the bundle');
    return door;
  }

  passUntil(end: Instant): void {
    const exactEnd = instant(Math.min(end, this.#clock.instant + EXACT_MS));
    while (this.#clock.fireNextAlarm(exactEnd));
    this.#clock.skipTo(instant(end - LONGEST_OPERATION_MS));
    while (this.#clock.instant < end) {
      const until = instant(Math.min(end, (Math.floor(this.#clock.instant / STEP_MS) + 1) * STEP_MS));
      this.#clock.skipTo(until);
      while (this.#clock.fireNextAlarm(until));
    }
  }

  #firstPart(kind: 'keypad' | 'reader'): string | null {
    return Object.values(this.profile.stations).find(station => station[kind] !== undefined)?.[kind] ?? null;
  }

  /** Returns false without a keypad. */
  type(keys: string): boolean {
    const keypad = this.#firstPart('keypad');
    if (keypad !== null) this.#parts.pressKeys(keypad, keys);
    return keypad !== null;
  }

  tap(uid: string): boolean {
    const reader = this.#firstPart('reader');
    if (reader !== null) this.#parts.tapCard(reader, uid);
    return reader !== null;
  }

  /** Executes an action that the bridge, a technician or another controller has requested. */
  execute(gadget_id: InputRule['gadget_id'], action_id: string): void {
    this.#device.controller.execute({ gadget_id, gadget_action_id: action_id, subject: null });
  }

  #doorNamed(name: string) {
    return doorsOf(this.profile).find(door => door.name === name) ?? doorsOf(this.profile)[0];
  }

  pressExit(doorName: string): void {
    const button = this.#doorNamed(doorName)?.exit_button;
    if (button !== undefined) this.#parts.pressButton(button);
  }

  moveLeaf(doorName: string, isOpen: boolean): void {
    const contact = this.#doorNamed(doorName)?.contact;
    if (contact === undefined) return;
    const other = contact.open_when === 'active' ? 'inactive' : 'active';
    this.#parts.setInput(contact.input, isOpen ? contact.open_when : other);
  }

  async close(): Promise<void> {
    await this.#device.stop();
    await this.#parts.parts.close();
    removeScratchFolder(this.#dataDir);
  }
}
