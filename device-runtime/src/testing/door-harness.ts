import { type Instant, instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { TrustedClock } from '../clock/trusted-clock.ts';
import { SystemTimeWithOffset } from '../clock/system-time-with-test-offset.ts';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { SimulatedKeypad } from '@lintel/simulator/virtual-hardware/simulated-keypad';
import { SimulatedOutputs } from '@lintel/simulator/virtual-hardware/simulated-outputs';
import { SimulatedReader } from '@lintel/simulator/virtual-hardware/simulated-reader';
import { createSimulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { SqliteSnapshotStore } from '../snapshot/store/sqlite-snapshot-store.ts';
import type { ControllerDependencies } from '../controller/controller-assembly.ts';
import { Controller } from '../controller/controller.ts';
import { DeviceCredentialDigester } from '../credentials/credential-digests.ts';
import { DataAuthenticator } from '../state/data-authenticator.ts';
import type { PeerActionRequest, PeerActionResult } from '../gadgets/peer-action-executor-interface.ts';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
  createSnapshotChunk,
} from './snapshot-entries.ts';
import { FailingEventStore } from './failing-event-store.ts';
import { MemoryState } from '@lintel/test/support/memory-state-store';

export const TEST_DIGEST_KEY = new Uint8Array(32).fill(7);
export const testCredentialDigester = new DeviceCredentialDigester(TEST_DIGEST_KEY);
export const testDataAuthenticator = new DataAuthenticator(TEST_DIGEST_KEY);

/** A Monday at noon in Madrid. */
export const TEST_NOON: Instant = instant(Date.parse('2026-06-01T10:00:00Z'));

/** One door, and Ann, who may open it at any time with PIN 2580 or a card. */
export const createSingleDoorSnapshot = ({ extendedPins = [] as readonly string[] } = {}): SnapshotEntry[] => [
  createDeviceEntry(),
  createSiteEntry(),
  createGadgetEntry({ id: 'gad_door' }),
  createMemberGroupEntry('mg_all', [{ gadget_id: 'gad_door' }]),
  createMemberEntry(testCredentialDigester, 'mem_ann', {
    pins: ['2580'],
    extendedPins,
    cards: ['04a1b2c3'],
    groups: ['mg_all'],
  }),
];

/** A controller with simulated parts, virtual time, and disks that fail on request. */
export class DoorHarness {
  readonly clock = new VirtualClock();
  readonly system = new SystemTimeWithOffset({ now: () => TEST_NOON, isSynchronized: () => false });
  readonly keypad = new SimulatedKeypad();
  readonly reader = new SimulatedReader(this.clock);
  readonly inputs = new SimulatedInputs();
  readonly outputs = new SimulatedOutputs(this.clock);
  readonly state: MemoryState;
  readonly events: FailingEventStore;
  readonly time: TrustedClock;
  readonly controller: Controller;
  readonly #digestKeyId: string;
  /** Events as they were recorded and outputs as they switched, in order. */
  readonly timeline: string[] = [];
  readonly recorded: DeviceEvent[] = [];
  readonly peerRequests: PeerActionRequest[] = [];
  readonly logged: string[] = [];
  peerResult: PeerActionResult = { outcome: 'unreachable' };

  private constructor(state: MemoryState, changes: Partial<ControllerDependencies>) {
    this.state = state;
    this.#digestKeyId = new DeviceCredentialDigester(changes.digestKey ?? TEST_DIGEST_KEY).keyId;
    this.events = new FailingEventStore({ file: ':memory:' });
    this.time = new TrustedClock({
      state,
      monotonic: this.clock,
      bootId: null,
      system: this.system,
      hasRtc: false,
      earliest: instant(0),
      lastWritten: null,
    });
    this.time.setByBridge(TEST_NOON);
    this.outputs.onChange(({ output, on }) => this.timeline.push(`${output} ${on ? 'on' : 'off'}`));
    this.controller = new Controller({
      wiring: createSimulatedWiring({ keypad: this.keypad, reader: this.reader }),
      outputs: this.outputs,
      inputs: this.inputs,
      clock: this.clock,
      wall: this.time,
      events: this.events,
      snapshotStore: new SqliteSnapshotStore(':memory:', testDataAuthenticator),
      state,
      peers: { execute: async order => this.#answer(order) },
      digestKey: TEST_DIGEST_KEY,
      randomBytes: count => new Uint8Array(count),
      log: (_level, message, facts) => this.logged.push(`${message} ${JSON.stringify(facts ?? {})}`),
      onEventRecorded: event => {
        this.recorded.push(event);
        this.timeline.push(
          [event.kind, event.reason ?? event.gadget_state_id ?? event.gadget_signal_id].filter(Boolean).join(' '),
        );
      },
      ...changes,
    });
  }

  /** `state`: what an earlier controller left on the disk. */
  static async open(
    entries: readonly SnapshotEntry[] = createSingleDoorSnapshot(),
    { state = new MemoryState(), ...changes }: Partial<ControllerDependencies> & { readonly state?: MemoryState } = {},
  ): Promise<DoorHarness> {
    const world = new DoorHarness(state, changes);
    world.controller.start();
    await world.serve(entries);
    world.timeline.length = 0;
    world.recorded.length = 0;
    return world;
  }

  /** Not started yet, with its disks as given. */
  static closed({
    state = new MemoryState(),
    ...changes
  }: Partial<ControllerDependencies> & { readonly state?: MemoryState }) {
    return new DoorHarness(state, changes);
  }

  #revision = 0;

  async serve(entries: readonly SnapshotEntry[]): Promise<void> {
    const received = await this.controller.receiveSnapshot(
      createSnapshotChunk(entries, ++this.#revision, this.#digestKeyId),
    );
    if (received.kind !== 'applied') throw new Error(`the slice was not applied: ${JSON.stringify(received)}`);
  }

  async #answer(order: PeerActionRequest): Promise<PeerActionResult> {
    this.peerRequests.push(order);
    return this.peerResult;
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
