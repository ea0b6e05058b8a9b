import type { DeviceId } from '@lintel/access-core/ids';
import { buildUplinkTopic, type UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConnectedDevices } from '../link/connected-devices.ts';
import { RequestsInFlight } from './requests-in-flight.ts';
import { TrafficCounts } from './traffic-counts.ts';
import { GatewayUplinkRouter } from './uplink-router.ts';

const [a, b] = ['dev_a', 'dev_b'] as DeviceId[] as [DeviceId, DeviceId];
const BATCH_BYTES = 300 * 1024;

/** A router whose link takes a message when the test says so. */
class RouterFixture {
  readonly sent: string[] = [];
  readonly ready = new Set<DeviceId>([a, b]);
  readonly counts = new TrafficCounts(() => undefined);
  readonly router: GatewayUplinkRouter;
  isOnline = true;
  bufferedBytes = 0;
  readonly #onTheWay: (() => void)[] = [];

  constructor() {
    this.router = new GatewayUplinkRouter({
      devices: {
        isReady: (device: DeviceId) => this.ready.has(device),
        isConnected: () => false,
      } as Partial<ConnectedDevices> as ConnectedDevices,
      counts: this.counts,
      requests: new RequestsInFlight(() => 0),
      isOnline: () => this.isOnline,
      bufferedBytes: () => this.bufferedBytes,
      publishUp: (topic, payload) => {
        this.sent.push(topic.split('/').slice(2).join(' '));
        this.bufferedBytes += payload.length;
        return new Promise(resolve => {
          this.#onTheWay.push(() => {
            this.bufferedBytes -= payload.length;
            resolve();
          });
        });
      },
      publishDown: () => undefined,
      onActiveRevision: () => undefined,
    });
  }

  route(device: DeviceId, kind: UplinkMessageKind, bytes = 10): void {
    this.router.route(buildUplinkTopic(device, kind), new Uint8Array(bytes), device);
  }

  /** The bridge has taken their hellos. */
  greet(...devices: readonly DeviceId[]): void {
    for (const device of devices) this.route(device, 'hello', 0);
    this.sent.length = 0;
    this.#onTheWay.length = 0;
  }

  /** The bridge takes the oldest message. */
  async taken(): Promise<void> {
    this.#onTheWay.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  }
}

let link: RouterFixture;
beforeEach(() => {
  link = new RouterFixture();
});

describe('GatewayUplinkRouter', () => {
  it('lets events wait for room on the link, controllers in turn, and nothing else', async () => {
    link.greet(a, b);
    link.route(a, 'events', BATCH_BYTES);
    for (const device of [a, a, b]) link.route(device, 'events', BATCH_BYTES);
    link.route(a, 'action-result');
    expect(link.sent).toEqual(['dev_a up events', 'dev_a up action-result']);
    await link.taken();
    expect(link.sent.at(-1)).toBe('dev_a up events');
    expect(link.sent).toHaveLength(3);
    await link.taken();
    await link.taken();
    expect(link.sent.slice(3)).toEqual(['dev_b up events']);
    await link.taken();
    expect(link.sent.slice(4)).toEqual(['dev_a up events']);
  });

  it('discards messages for a bridge that is not reachable, and those that waited for it', async () => {
    link.greet(a, b);
    link.route(a, 'events', BATCH_BYTES);
    link.route(b, 'events', BATCH_BYTES);
    link.isOnline = false;
    link.router.linkClosed();
    await link.taken();
    link.route(b, 'events');
    link.isOnline = true;
    link.route(b, 'status');
    await link.taken();
    expect(link.sent).toEqual(['dev_a up events', 'dev_b up status']);
    expect(link.counts.offline).toBe(1);
  });

  it('forwards no events before the hello, so that they do not overtake those that were lost with the link', () => {
    link.route(a, 'events');
    link.route(a, 'hello');
    link.route(a, 'events');
    link.router.linkClosed();
    link.route(a, 'events');
    expect(link.sent).toEqual(['dev_a up hello', 'dev_a up events']);
    expect(link.counts.offline).toBe(2);
  });

  it('holds messages until the bridge knows where the controller is', () => {
    link.ready.delete(a);
    link.route(a, 'hello');
    link.route(a, 'events');
    link.route(a, 'goodbye');
    expect(link.sent).toEqual(['dev_a up goodbye']);
    link.ready.add(a);
    link.router.deviceReady(a);
    expect(link.sent.slice(1)).toEqual(['dev_a up hello', 'dev_a up events']);
  });

  it('discards held messages of a controller that disconnects', async () => {
    link.ready.delete(a);
    link.route(a, 'hello');
    link.router.deviceDisconnected(a);
    link.router.deviceReady(a);
    expect(link.sent).toEqual([]);
  });

  it('rejects messages of other devices and lists of connected devices', () => {
    link.router.route(buildUplinkTopic(b, 'status'), new Uint8Array(1), a);
    link.route(a, 'connected-devices');
    expect([link.sent, link.counts.dropped]).toEqual([[], 2]);
  });
});
