import { type Instant, instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { TrustedClock } from '../clock/trusted-clock.ts';
import { SteppedTime } from '../clock/stepped-time.ts';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { SimulatedKeypad } from '@lintel/simulator/virtual-hardware/simulated-keypad';
import { SimulatedOutputs } from '@lintel/simulator/virtual-hardware/simulated-outputs';
import { SimulatedReader } from '@lintel/simulator/virtual-hardware/simulated-reader';
import { simulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { SliceCache } from '../snapshot/store/snapshot-store.ts';
import type { ControllerParts } from '../controller/assembly.ts';
import { Controller } from '../controller/controller.ts';
import { CredentialDigests } from '../credentials/credential-digests.ts';
import type { PeerOrder, PeerOutcome } from '../gadgets/peer-gadgets.ts';
import {
  deviceEntry,
  gadgetEntry,
  groupEntry,
  memberEntry,
  siteEntry,
  snapshotOf,
} from './door-entries.test-support.ts';
import { FaultyEvents } from './faulty-events.test-support.ts';
import { MemoryState } from '@lintel/test/support/memory-state';

export const KEY = new Uint8Array(32).fill(7);
export const digests = new CredentialDigests(KEY);

/** A Monday at noon in Madrid. */
export const NOON: Instant = instant(Date.parse('2026-06-01T10:00:00Z'));

/** One door, and Ann, who may open it at any time with PIN 2580 or a card. */
export const annsDoor = (): SliceEntry[] => [
  deviceEntry(),
  siteEntry(),
  gadgetEntry({ id: 'gad_door' }),
  groupEntry('mg_all', [{ gadget_id: 'gad_door' }]),
  memberEntry(digests, 'mem_ann', { pins: ['2580'], cards: ['04a1b2c3'], groups: ['mg_all'] }),
];

/** A controller with simulated parts, virtual time, and disks that fail on request. */
export class DoorWorld {
  readonly clock = new VirtualClock();
  readonly system = new SteppedTime({ now: () => NOON, isSynchronized: () => false });
  readonly keypad = new SimulatedKeypad();
  readonly reader = new SimulatedReader(this.clock);
  readonly inputs = new SimulatedInputs();
  readonly outputs = new SimulatedOutputs(this.clock);
  readonly state: MemoryState;
  readonly events: FaultyEvents;
  readonly time: TrustedClock;
  readonly controller: Controller;
  /** Events as they were recorded and outputs as they switched, in order. */
  readonly story: string[] = [];
  readonly recorded: DeviceEvent[] = [];
  readonly asked: PeerOrder[] = [];
  readonly logged: string[] = [];
  peerAnswer: PeerOutcome = { outcome: 'unreachable' };

  private constructor(state: MemoryState, changes: Partial<ControllerParts>) {
    this.state = state;
    this.events = new FaultyEvents({ file: ':memory:', remembered: () => ({ ceiling: 0, confirmed: 0 }) });
    this.time = new TrustedClock({
      state,
      monotonic: this.clock,
      system: this.system,
      hasRtc: false,
      earliest: instant(0),
      lastWritten: null,
    });
    this.time.setByBridge(NOON);
    this.outputs.onChange(({ output, on }) => this.story.push(`${output} ${on ? 'on' : 'off'}`));
    this.controller = new Controller({
      wiring: simulatedWiring({ keypad: this.keypad, reader: this.reader }),
      outputs: this.outputs,
      inputs: this.inputs,
      clock: this.clock,
      wall: this.time,
      events: this.events,
      snapshotStore: new SliceCache(':memory:'),
      state,
      peers: { execute: async order => this.#answer(order) },
      digestKey: KEY,
      randomBytes: count => new Uint8Array(count),
      log: (_level, message, facts) => this.logged.push(`${message} ${JSON.stringify(facts ?? {})}`),
      recorded: event => {
        this.recorded.push(event);
        this.story.push(
          [event.kind, event.reason ?? event.gadget_state_id ?? event.gadget_signal_id].filter(Boolean).join(' '),
        );
      },
      ...changes,
    });
  }

  /** `state`: what an earlier controller left on the disk. */
  static async open(
    entries: readonly SliceEntry[] = annsDoor(),
    { state = new MemoryState(), ...changes }: Partial<ControllerParts> & { readonly state?: MemoryState } = {},
  ): Promise<DoorWorld> {
    const world = new DoorWorld(state, changes);
    world.controller.start();
    await world.serve(entries);
    world.story.length = 0;
    world.recorded.length = 0;
    return world;
  }

  /** Not started yet, with its disks as given. */
  static closed({
    state = new MemoryState(),
    ...changes
  }: Partial<ControllerParts> & { readonly state?: MemoryState }) {
    return new DoorWorld(state, changes);
  }

  #revision = 0;

  async serve(entries: readonly SliceEntry[]): Promise<void> {
    const received = await this.controller.receiveSnapshot(snapshotOf(entries, ++this.#revision, digests.keyId));
    if (received.kind !== 'applied') throw new Error(`the slice was not applied: ${JSON.stringify(received)}`);
  }

  async #answer(order: PeerOrder): Promise<PeerOutcome> {
    this.asked.push(order);
    return this.peerAnswer;
  }

  press(keys: string): void {
    this.keypad.press(keys);
  }

  get isUnlocked(): boolean {
    return this.outputs.isOn('strike-0');
  }

  kinds(): string[] {
    return this.recorded.map(event => event.kind);
  }
}
