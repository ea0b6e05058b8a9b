import type { LiveMessage } from '@lintel/wire-protocol/simulator/world';
import { describe, expect, it } from 'vitest';
import { aController, aDoor, aHappening, aWorld } from '../a-world.test-data.ts';
import { worldAfter } from './world-after.ts';

describe('what the page knows', () => {
  it('is nothing until the whole picture has come', () => {
    expect(worldAfter(null, { type: 'door', door: aDoor() })).toBeNull();
    expect(worldAfter(null, { type: 'world', world: aWorld() })).toEqual(aWorld());
  });

  it('begins anew with a whole picture, whatever was known', () => {
    const old = aWorld({ happenings: [aHappening()] });
    expect(worldAfter(old, { type: 'world', world: aWorld() })?.happenings).toEqual([]);
  });

  it('changes one door and leaves the others', () => {
    const world = aWorld({ doors: [aDoor(), aDoor({ key: 'garage' })] });
    const open = aDoor({ key: 'garage', leaf: 'open' });
    expect(worldAfter(world, { type: 'door', door: open })?.doors).toEqual([aDoor(), open]);
  });

  it('takes the newer word of controllers, the gateway and lines', () => {
    const world = aWorld();
    const controller = aController({ power: 'off' });
    expect(worldAfter(world, { type: 'controller', controller })?.controllers).toEqual([controller]);
    const gateway = { ...world.gateway, waiting_events: 3 };
    expect(worldAfter(world, { type: 'gateway', gateway })?.gateway.waiting_events).toBe(3);
    const line = { ...world.lines[1]!, mode: 'cut' as const };
    expect(worldAfter(world, { type: 'line', line })?.lines.map(({ mode }) => mode)).toEqual(['up', 'cut']);
  });

  it('keeps an event once, however often it is told, the newest on top', () => {
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

  it('puts what a controller with a wrong clock tells where it was seen', () => {
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

  it('does not grow without end', () => {
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

  it('stays as it was at a word that it does not know', () => {
    const world = aWorld();
    expect(worldAfter(world, { type: 'weather' } as unknown as LiveMessage)).toBe(world);
  });
});
