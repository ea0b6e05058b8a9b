import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { LiveFeed } from '../live/live-feed.ts';
import { waitUntilControllerIdle } from './wait-until-controller-idle.ts';

const fixture = () => {
  const clock = new VirtualClock();
  const live = new LiveFeed();
  const stop = new AbortController();
  const state = { isIdle: true, settled: '' };
  const controller = { isIdle: () => state.isIdle, technician: { live, clock } };
  const terms = { quietMs: 10_000, withinMs: 60_000, signal: stop.signal };
  waitUntilControllerIdle({ controller }, terms).then(
    () => (state.settled = 'quiet'),
    () => (state.settled = 'given up'),
  );
  return { clock, live, stop, state };
};
const passed = async (clock: VirtualClock, ms: number): Promise<void> => {
  clock.advance(ms);
  await Promise.resolve();
  await Promise.resolve();
};

describe('quiet moment for an update', () => {
  it('comes after ten seconds without activity', async () => {
    const { clock, live, state } = fixture();
    await passed(clock, 9000);
    live.input('contact-0', 'active');
    await passed(clock, 9000);
    expect(state.settled).toBe('');
    await passed(clock, 1500);
    expect(state.settled).toBe('quiet');
    expect(live.hasListeners).toBe(false);
  });

  it('does not come while a door is unlocked or a PIN is being entered', async () => {
    const { clock, state } = fixture();
    state.isIdle = false;
    await passed(clock, 50_000);
    expect(state.settled).toBe('');
    state.isIdle = true;
    await passed(clock, 500);
    expect(state.settled).toBe('quiet');
  });

  it('is the next moment without movement after a limit, and any moment a minute later', async () => {
    const busy = fixture();
    for (let second = 0; second < 61; second++) {
      busy.live.input('contact-0', 'active');
      await passed(busy.clock, 1000);
    }
    expect(busy.state.settled).toBe('quiet');
    const stuck = fixture();
    stuck.state.isIdle = false;
    await passed(stuck.clock, 119_000);
    expect(stuck.state.settled).toBe('');
    await passed(stuck.clock, 2000);
    expect(stuck.state.settled).toBe('quiet');
  });

  it('can be canceled', async () => {
    const { clock, stop, state, live } = fixture();
    stop.abort();
    await passed(clock, 0);
    expect([state.settled, live.hasListeners]).toEqual(['given up', false]);
  });
});
