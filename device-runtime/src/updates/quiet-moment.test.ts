import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../adapters/simulated/virtual-clock.ts';
import { LiveFeed } from '../app/live-feed.ts';
import { quietMoment } from './quiet-moment.ts';

const bench = () => {
  const clock = new VirtualClock();
  const live = new LiveFeed();
  const stop = new AbortController();
  const state = { isResting: true, settled: '' };
  const controller = { isResting: () => state.isResting, technician: { live, clock } };
  const terms = { quietMs: 10_000, withinMs: 60_000, signal: stop.signal };
  quietMoment({ controller }, terms).then(
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

describe('the moment for another version', () => {
  it('comes after ten seconds in which nothing has happened', async () => {
    const { clock, live, state } = bench();
    await passed(clock, 9000);
    live.input('contact-0', 'active');
    await passed(clock, 9000);
    expect(state.settled).toBe('');
    await passed(clock, 1500);
    expect(state.settled).toBe('quiet');
    expect(live.isWatched).toBe(false);
  });

  it('does not come while a door is open for somebody or somebody types', async () => {
    const { clock, state } = bench();
    state.isResting = false;
    await passed(clock, 50_000);
    expect(state.settled).toBe('');
    state.isResting = true;
    await passed(clock, 500);
    expect(state.settled).toBe('quiet');
  });

  it('does not wait for ever: then the next moment in which nothing moves will do, and after another minute any', async () => {
    const busy = bench();
    for (let second = 0; second < 61; second++) {
      busy.live.input('contact-0', 'active');
      await passed(busy.clock, 1000);
    }
    expect(busy.state.settled).toBe('quiet');
    const stuck = bench();
    stuck.state.isResting = false;
    await passed(stuck.clock, 119_000);
    expect(stuck.state.settled).toBe('');
    await passed(stuck.clock, 2000);
    expect(stuck.state.settled).toBe('quiet');
  });

  it('is given up when nobody wants it any more', async () => {
    const { clock, stop, state, live } = bench();
    stop.abort();
    await passed(clock, 0);
    expect([state.settled, live.isWatched]).toEqual(['given up', false]);
  });
});
