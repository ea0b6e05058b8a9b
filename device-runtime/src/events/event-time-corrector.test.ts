import { HOUR_MS, MINUTE_MS } from '@lintel/access-core/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { TrustedClock } from '../clock/trusted-clock.ts';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { EventQueues } from './event-queues.ts';
import { EventStore } from './event-store.ts';
import { EventTimeCorrector } from './event-time-corrector.ts';

const FLOOR = instant(Date.parse('2026-06-01T10:00:00Z'));

describe('EventTimeCorrector', () => {
  let state = new MemoryState();
  let store: EventStore;
  let uptime = new VirtualClock();
  let boot = 0;
  let run: { time: TrustedClock; times: EventTimeCorrector; queues: EventQueues };

  const startProcess = (): void => {
    const system = { now: () => FLOOR, isSynchronized: () => false };
    const saved = { state, bootId: `boot-${boot}`, earliest: FLOOR, lastWritten: null };
    const time = new TrustedClock({ ...saved, monotonic: uptime, system, hasRtc: false });
    const times = new EventTimeCorrector({ state, clock: time, lastSequence: () => store.lastSequence() });
    run = { time, times, queues: new EventQueues(store, undefined, times) };
  };

  const switchOn = (): void => {
    boot += 1;
    uptime = new VirtualClock();
    startProcess();
  };

  const record = (): DeviceEvent => {
    const [sample] = createSampleEvents(store.lastSequence() + 1, 1);
    const { time } = run;
    const event = { ...sample!, occurred_at: time.now(), time_trusted: time.isTrusted() };
    store.append([event]);
    return event;
  };

  const upload = (): Array<{ at: Instant; device_time: number | null; time_trusted: boolean }> =>
    run.queues.next(100).map(({ occurred_at, device_time, time_trusted }) => ({
      at: occurred_at,
      device_time: device_time ?? null,
      time_trusted,
    }));

  beforeEach(() => {
    state = new MemoryState();
    state.write('time_floor', FLOOR);
    store = new EventStore({ file: ':memory:' });
    switchOn();
  });

  it('holds events of an untrusted clock back until the time is known, then corrects them', () => {
    record();
    uptime.advance(MINUTE_MS);
    record();
    expect(upload()).toEqual([]);
    uptime.advance(MINUTE_MS);
    run.time.setByBridge(instant(FLOOR + 5 * HOUR_MS));
    record();
    expect(upload()).toEqual([
      { at: FLOOR + 5 * HOUR_MS - 2 * MINUTE_MS, device_time: FLOOR, time_trusted: false },
      { at: FLOOR + 5 * HOUR_MS - MINUTE_MS, device_time: FLOOR + MINUTE_MS, time_trusted: false },
      { at: FLOOR + 5 * HOUR_MS, device_time: null, time_trusted: true },
    ]);
  });

  it('corrects events from before a crash of the process', () => {
    record();
    uptime.advance(MINUTE_MS);
    startProcess();
    expect(upload()).toEqual([]);
    record();
    run.time.setByBridge(instant(FLOOR + 5 * HOUR_MS));
    startProcess();
    expect(upload()).toEqual([
      { at: FLOOR + 5 * HOUR_MS - MINUTE_MS, device_time: FLOOR, time_trusted: false },
      { at: FLOOR + 5 * HOUR_MS, device_time: FLOOR + MINUTE_MS, time_trusted: false },
    ]);
  });

  it('does not guess the times of an earlier power cycle', () => {
    record();
    switchOn();
    record();
    run.time.setByBridge(instant(FLOOR + HOUR_MS));
    switchOn();
    record();
    run.time.setByBridge(instant(FLOOR + 3 * HOUR_MS));
    expect(upload()).toEqual([
      { at: FLOOR, device_time: null, time_trusted: false },
      { at: FLOOR + HOUR_MS, device_time: FLOOR, time_trusted: false },
      { at: FLOOR + 3 * HOUR_MS, device_time: FLOOR + HOUR_MS, time_trusted: false },
    ]);
  });

  it('holds a large backlog back without skipping it', () => {
    const backlog = createSampleEvents(1, 1_500).map(event => ({ ...event, occurred_at: FLOOR, time_trusted: false }));
    store.append(backlog);
    run.queues.restart();
    expect([upload(), upload()]).toEqual([[], []]);
    run.time.setByBridge(instant(FLOOR + HOUR_MS));
    expect([upload().length, upload().length]).toEqual([100, 100]);
  });

  it('lets events go as they are when the time of the bridge is not accepted', () => {
    record();
    run.times.release(true);
    expect(upload()).toEqual([{ at: FLOOR, device_time: null, time_trusted: false }]);
  });
});
