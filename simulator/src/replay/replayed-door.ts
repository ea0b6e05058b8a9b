import { type Instant, instant } from '@lintel/access-core/instant';
import type { InputRule } from '@lintel/access-core/input-rules';
import { createController, type RunningController } from '@lintel/device-runtime/main';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import { ScenarioClock } from '../scenario/scenario-clock.ts';
import { dropFolder, scratchFolder } from '../scratch-folder.ts';
import type { TrialGadget } from '../terminal/trial-gadgets.ts';
import { TrialParts } from '../terminal/trial-parts.ts';
import { trialSlice } from '../terminal/trial-slice.ts';
import type { ReadBundle } from './bundle.ts';
import { profileOf } from './bundled-profile.ts';
import type { StandIns } from './stand-ins.ts';

/** After something has happened every alarm rings at its time: relocks, alarms of a door, the end of an entry. */
const LIVELY_MS = 45_000;
const STRIDE_MS = 60_000;
/** Nothing of a door takes longer: what lies before is skipped. */
const QUIET_MS = 3_600_000;

type Named = readonly { readonly id: string; readonly name: string }[];

const named = (ids: Iterable<string | null | undefined>): Named =>
  [...new Set(ids)].flatMap(id => (id == null ? [] : [{ id, name: id }]));

/** Which states and signals a gadget has is not in a bundle: those that it has told of, and what every door has. */
const gadgetsOf = ({ bundle, events }: ReadBundle): readonly TrialGadget[] => {
  const of = (id: string): readonly TechnicianEvent[] => events.filter(({ gadget_id }) => gadget_id === id);
  const own = bundle.status.gadgets.map(
    ({ gadget_id, name, actions, state_id }): TrialGadget => ({
      id: gadget_id,
      key: name,
      name,
      actions,
      states: named([state_id, ...of(gadget_id).map(event => event.gadget_state_id)]),
      signals: named(['exit_button', ...of(gadget_id).map(event => event.gadget_signal_id)]),
    }),
  );
  const elsewhere = [...Map.groupBy(bundle.input_rules, rule => rule.gadget_id)]
    .filter(([id]) => !own.some(gadget => gadget.id === id))
    .map(
      ([id, rules]): TrialGadget => ({
        id,
        key: null,
        name: id,
        actions: named(rules.map(rule => rule.action_id)),
        states: [],
        signals: [],
      }),
    );
  return [...own, ...elsewhere];
};

const doorsOf = (profile: Profile) => profile.gadgets.filter(gadget => gadget.kind === 'door');

/** The firmware of now with the rules and wires of the bundle. Its time is that of the bundle's events. */
export class ReplayedDoor {
  readonly rules: readonly InputRule[];
  readonly profile: Profile;
  readonly recorded: TechnicianEvent[] = [];
  readonly #clock: ScenarioClock;
  readonly #parts: TrialParts;
  readonly #device: RunningController;
  readonly #dataDir: string;

  private constructor(read: ReadBundle, profile: Profile, clock: ScenarioClock, parts: TrialParts, dataDir: string) {
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
    this.#device.controller.technician.live.listen(happening => {
      if (happening.type === 'event') this.recorded.push(happening.event);
    });
  }

  /** Null when the bundle has no profile that the firmware of now can work with. */
  static async open(read: ReadBundle, standIns: StandIns): Promise<ReplayedDoor | null> {
    const { profile } = profileOf(read);
    if (profile === null) return null;
    const first = read.events[0]?.occurred_at ?? read.bundle.made_at;
    const clock = new ScenarioClock(instant(instantOf(first) - STRIDE_MS));
    const dataDir = scratchFolder();
    const parts = await TrialParts.open(profile, clock.machine(), dataDir);
    const door = new ReplayedDoor(read, profile, clock, parts, dataDir);
    const { controller, digestKey } = door.#device;
    const slice = trialSlice(gadgetsOf(read), read.bundle.input_rules, standIns.members, digestKey);
    const { kind } = await controller.receiveSnapshot(slice);
    if (kind !== 'applied') throw new Error('the firmware has not taken the rules of the bundle');
    return door;
  }

  passUntil(end: Instant): void {
    const lively = instant(Math.min(end, this.#clock.instant + LIVELY_MS));
    while (this.#clock.ringNext(lively));
    this.#clock.skipTo(instant(end - QUIET_MS));
    while (this.#clock.instant < end) {
      const until = instant(Math.min(end, (Math.floor(this.#clock.instant / STRIDE_MS) + 1) * STRIDE_MS));
      this.#clock.skipTo(until);
      while (this.#clock.ringNext(until));
    }
  }

  #station(kind: 'keypad' | 'reader'): string | null {
    return Object.values(this.profile.stations).find(station => station[kind] !== undefined)?.[kind] ?? null;
  }

  /** False when there is no keypad. */
  type(keys: string): boolean {
    const keypad = this.#station('keypad');
    if (keypad !== null) this.#parts.press(keypad, keys);
    return keypad !== null;
  }

  tap(uid: string): boolean {
    const reader = this.#station('reader');
    if (reader !== null) this.#parts.tap(reader, uid);
    return reader !== null;
  }

  /** What somebody else has decided: the bridge, a technician, another controller. */
  carryOut(gadget_id: InputRule['gadget_id'], action_id: string): void {
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
    this.#parts.move(contact.input, isOpen ? contact.open_when : other);
  }

  async close(): Promise<void> {
    await this.#device.stop();
    await this.#parts.parts.close();
    dropFolder(this.#dataDir);
  }
}
