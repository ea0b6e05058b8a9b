import type { LiveMessage } from '@lintel/wire-protocol/simulator/world';
import { describe, expect, it } from 'vitest';
import { aController, aDoor, aHappening, aWorld } from '../simulator-state.test-support.ts';
import { worldAfter } from './world-after.ts';

describe('worldAfter', () => {
  it('returns nothing before the first full state', () => {
    expect(worldAfter(null, { type: 'door', door: aDoor() })).toBeNull();
    expect(worldAfter(null, { type: 'world', world: aWorld() })).toEqual(aWorld());
  });

  it('replaces everything with a full state', () => {
    const old = aWorld({ happenings: [aHappening()] });
    expect(worldAfter(old, { type: 'world', world: aWorld() })?.happenings).toEqual([]);
  });

  it('changes one door only', () => {
    const world = aWorld({ doors: [aDoor(), aDoor({ key: 'garage' })] });
    const open = aDoor({ key: 'garage', leaf: 'open' });
    expect(worldAfter(world, { type: 'door', door: open })?.doors).toEqual([aDoor(), open]);
  });

  it('applies the newest state of controllers, the gateway and connections', () => {
    const world = aWorld();
    const controller = aController({ power: 'off' });
    expect(worldAfter(world, { type: 'controller', controller })?.controllers).toEqual([controller]);
    const gateway = { ...world.gateway, waiting_events: 3 };
    expect(worldAfter(world, { type: 'gateway', gateway })?.gateway.waiting_events).toBe(3);
    const line = { ...world.lines[1]!, mode: 'cut' as const };
    expect(worldAfter(world, { type: 'line', line })?.lines.map(({ mode }) => mode)).toEqual(['up', 'cut']);
  });

  it('keeps each event once, the newest first', () => {
    const later = aHappening({ id: 'event_2', way: { ...aHappening().way, door: '2026-06-01T10:00:05.000Z' } });
    const way = { ...later.way, bridge: '2026-06-01T10:00:06.000Z' };
    const messages: LiveMessage[] = [aHappening(), later, { ...later, way }].map(happening => ({
      type: 'happening',
      happening,
    }));
    const world = messages.reduce(worldAfter, aWorld());
    expect(world?.happenings.map(({ id }) => id)).toEqual(['event_2', 'event_1']);
    expect(world?.happenings[0]?.way.bridge).toBe('2026-06-01T10:00:06.000Z');
  });

  it('orders an event of a controller with a wrong clock by its arrival', () => {
    const told = (id: string, at: string, door: string | null): LiveMessage => ({
      type: 'happening',
      happening: aHappening({ id, at, way: { ...aHappening().way, door } }),
    });
    const messages = [
      told('tomorrow', '2026-06-02T10:00:00.000Z', '2026-06-01T10:00:01.000Z'),
      told('yesterday', '2026-05-31T10:00:00.000Z', '2026-06-01T10:00:02.000Z'),
      told('decided elsewhere', '2026-06-01T10:00:03.000Z', null),
    ];
    const world = messages.reduce(worldAfter, aWorld());
    expect(world?.happenings.map(({ id }) => id)).toEqual(['decided elsewhere', 'yesterday', 'tomorrow']);
  });

  it('limits the number of events', () => {
    let world: ReturnType<typeof worldAfter> = aWorld();
    for (let n = 0; n < 250; n += 1) {
      const at = new Date(Date.UTC(2026, 5, 1) + n * 1000).toISOString();
      const way = { ...aHappening().way, door: at };
      world = worldAfter(world, { type: 'happening', happening: aHappening({ id: `event_${n}`, way }) });
      world = worldAfter(world, {
        type: 'run',
        run: { id: `run_${n}`, name: 'night', outcome: 'passed', steps: [], problem: null },
      });
    }
    expect(world?.happenings).toHaveLength(200);
    expect(world?.happenings[0]?.id).toBe('event_249');
    expect(world?.runs).toHaveLength(10);
    expect(world?.runs.at(-1)?.id).toBe('run_249');
  });

  it('ignores an unknown message', () => {
    const world = aWorld();
    expect(worldAfter(world, { type: 'weather' } as unknown as LiveMessage)).toBe(world);
  });
});
