import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { UplinkCounter, volatileUplinkCounterStore } from '@lintel/device-link/session/uplink/uplink-counter';
import { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { FakeBridge } from '@lintel/test/support/devices/fake-bridge';
import type { MemoryState } from '@lintel/test/support/memory-state-store';
import { PeerRequestClient } from '../bridge-connection/peers/peer-request-client.ts';
import { BridgeSession } from '../bridge-connection/bridge-session.ts';
import { DoorHarness } from './door-harness.ts';

/** A door in virtual time, connected to a fake bridge. */
export class DoorWithFakeBridge {
  readonly door: DoorHarness;
  readonly bridge: FakeBridge;
  readonly session: BridgeSession;

  private constructor(door: DoorHarness, bridge: FakeBridge, session: BridgeSession) {
    this.door = door;
    this.bridge = bridge;
    this.session = session;
  }

  /** `state` and `bridge`: of an earlier run that ended without a clean stop. */
  static async open(
    given: { readonly state?: MemoryState; readonly bridge?: FakeBridge } = {},
  ): Promise<DoorWithFakeBridge> {
    const bridge = given.bridge ?? new FakeBridge();
    let session: BridgeSession | null = null;
    const door = await DoorHarness.open(undefined, {
      ...(given.state === undefined ? {} : { state: given.state }),
      onEventRecorded: event => session?.onEventRecorded(event),
      onOlderEventsWaiting: () => session?.onOlderEventsWaiting(),
    });
    const { controller, clock, time: wall, state } = door;
    const publisher = new UplinkPublisher(bridge, { counter: new UplinkCounter(volatileUplinkCounterStore, 1) });
    const peers = new PeerRequestClient({ controller: () => controller, publisher, clock, newRequestId: randomUUID });
    session = new BridgeSession({
      upstream: bridge,
      controller,
      publisher,
      peers,
      clock,
      wall,
      state,
      power: () => ({ mains_present: true, battery_present: null, battery_charging: null, battery_percent: null }),
      log: (_level, message, facts) => door.logged.push(`${message} ${JSON.stringify(facts ?? {})}`),
      firmware: 'test',
      product_id: 'virtual',
      newNonce: () => randomBytes(18).toString('base64url'),
    });
    session.start();
    return new DoorWithFakeBridge(door, bridge, session);
  }

  /** Connected to a bridge that has nothing new. */
  static async connected(given: { readonly state?: MemoryState; readonly bridge?: FakeBridge } = {}) {
    const world = await DoorWithFakeBridge.open(given);
    world.bridge.connect();
    world.respond();
    await world.settled();
    return world;
  }

  /** The bridge has nothing newer than the controller. */
  respond(given: Partial<MqttMessageContent<'time'>> = {}): void {
    const revision = this.door.controller.storedSnapshot?.revision ?? 0;
    this.bridge.sendTime({ time: this.door.time.now(), revision, ...given });
  }

  /** Waits until background work is done. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) await setImmediate();
  }

  async advance(milliseconds: number): Promise<void> {
    this.door.clock.advance(milliseconds);
    await this.settled();
  }

  faults(): string[] {
    return this.door.controller.faults().map(({ code }) => code);
  }
}
