import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { DeviceRoster } from './device-roster.ts';

const [a, b, c] = ['dev_a', 'dev_b', 'dev_c'] as DeviceId[] as [DeviceId, DeviceId, DeviceId];
const deviceOf = (filter: string): string => filter.split('/')[2]!;

/** A roster and its actions in order, with a manual clock. */
const world = (refuses: readonly DeviceId[] = []) => {
  const done: string[] = [];
  const due: (() => void)[] = [];
  const withFrames: DeviceId[] = [];
  const stillRefused = new Set<string>(refuses);
  const roster = new DeviceRoster({
    subscribe: async filters => {
      const devices = filters.map(deviceOf);
      if (devices.some(id => stillRefused.has(id))) throw new Error('refused');
      done.push(`hear ${devices.join(' ')}`);
    },
    unsubscribe: async filters => {
      done.push(`no more ${filters.map(deviceOf).join(' ')}`);
    },
    sayPresence: devices => done.push(`here ${devices.join(' ')}`),
    withFrames: () => withFrames,
    onReady: device => done.push(`ready ${device}`),
    timers: { after: (_, work) => due.push(work) as unknown as () => void },
    log: (_, message) => done.push(message),
  });
  const pass = async (): Promise<string[]> => {
    for (const work of due.splice(0)) work();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return done.splice(0);
  };
  return { roster, pass, withFrames, stillRefused };
};

describe('DeviceRoster', () => {
  it('subscribes to a device, announces it, and only then reports it as ready', async () => {
    const { roster, pass } = world();
    roster.opened([]);
    expect(await pass()).toEqual(['here ']);
    roster.came(a, 0);
    roster.came(b, 0);
    expect(roster.isReady(a)).toBe(false);
    expect(await pass()).toEqual(['hear dev_a dev_b', 'here dev_a dev_b', 'ready dev_a', 'ready dev_b']);
  });

  it('announces the remaining devices when one leaves, and unsubscribes from it', async () => {
    const { roster, pass } = world();
    roster.opened([]);
    roster.came(a, 0);
    roster.came(b, 0);
    await pass();
    roster.went(a);
    expect(await pass()).toEqual(['no more dev_a', 'here dev_b']);
    expect([roster.isReady(a), roster.isReady(b)]).toEqual([false, true]);
  });

  it('stays subscribed to a missing device while a response for it is pending', async () => {
    const { roster, pass, withFrames } = world();
    roster.opened([]);
    roster.came(a, 0);
    await pass();
    withFrames.push(a);
    roster.went(a);
    expect(await pass()).toEqual(['here ', 'ready dev_a']);
    expect(roster.isHeard(a)).toBe(true);
  });

  it('announces nothing while offline, and all new devices when online', async () => {
    const { roster, pass } = world();
    roster.came(a, 0);
    expect(await pass()).toEqual([]);
    roster.opened(roster.wanted());
    expect(await pass()).toEqual(['here dev_a', 'ready dev_a']);
    roster.closed();
    expect([roster.isReady(a), roster.isHeard(a), roster.isConnected(a)]).toEqual([false, false, true]);
  });

  it('retries a device that the bridge rejects without delaying the others', async () => {
    const { roster, pass, stillRefused } = world([b]);
    roster.opened([]);
    for (const device of [a, b, c]) roster.came(device, 0);
    expect(await pass()).toEqual([
      'hear dev_a',
      'the bridge does not let the gateway hear a device',
      'hear dev_c',
      'here dev_a dev_b dev_c',
      'ready dev_a',
      'ready dev_c',
    ]);
    stillRefused.clear();
    await pass();
    expect(await pass()).toEqual(['hear dev_b', 'ready dev_b']);
  });
});
