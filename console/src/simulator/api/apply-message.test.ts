import type { SimulatorLiveMessage } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { describe, expect, it } from 'vitest';
import {
  createTestController,
  createTestDoor,
  createTestActivityEntry,
  createTestSimulatorState,
} from '../simulator-state.test-support.ts';
import { applySimulatorMessage } from './apply-message.ts';

describe('applySimulatorMessage', () => {
  it('returns nothing before the first full state', () => {
    expect(applySimulatorMessage(null, { type: 'door', door: createTestDoor() })).toBeNull();
    expect(applySimulatorMessage(null, { type: 'world', world: createTestSimulatorState() })).toEqual(
      createTestSimulatorState(),
    );
  });

  it('replaces everything with a full state', () => {
    const old = createTestSimulatorState({ activity: [createTestActivityEntry()] });
    expect(applySimulatorMessage(old, { type: 'world', world: createTestSimulatorState() })?.activity).toEqual([]);
  });

  it('changes one door only', () => {
    const world = createTestSimulatorState({ doors: [createTestDoor(), createTestDoor({ key: 'garage' })] });
    const open = createTestDoor({ key: 'garage', leaf: 'open' });
    expect(applySimulatorMessage(world, { type: 'door', door: open })?.doors).toEqual([createTestDoor(), open]);
  });

  it('applies the newest state of controllers, the gateway and connections', () => {
    const world = createTestSimulatorState();
    const controller = createTestController({ power: 'off' });
    expect(applySimulatorMessage(world, { type: 'controller', controller })?.controllers).toEqual([controller]);
    const gateway = { ...world.gateway, is_connected: false };
    expect(applySimulatorMessage(world, { type: 'gateway', gateway })?.gateway.is_connected).toBe(false);
    const line = { ...world.lines[1]!, mode: 'cut' as const };
    expect(applySimulatorMessage(world, { type: 'line', line })?.lines.map(({ mode }) => mode)).toEqual(['up', 'cut']);
  });

  it('keeps each event once, the newest first', () => {
    const later = createTestActivityEntry({
      id: 'event_2',
      way: { ...createTestActivityEntry().way, door: '2026-06-01T10:00:05.000Z' },
    });
    const way = { ...later.way, bridge: '2026-06-01T10:00:06.000Z' };
    const messages: SimulatorLiveMessage[] = [createTestActivityEntry(), later, { ...later, way }].map(entry => ({
      type: 'activity',
      entry,
    }));
    const world = messages.reduce(applySimulatorMessage, createTestSimulatorState());
    expect(world?.activity.map(({ id }) => id)).toEqual(['event_2', 'event_1']);
    expect(world?.activity[0]?.way.bridge).toBe('2026-06-01T10:00:06.000Z');
  });

  it('commands an event of a controller with a wrong clock by its arrival', () => {
    const eventMessage = (id: string, at: string, door: string | null): SimulatorLiveMessage => ({
      type: 'activity',
      entry: createTestActivityEntry({ id, at, way: { ...createTestActivityEntry().way, door } }),
    });
    const messages = [
      eventMessage('tomorrow', '2026-06-02T10:00:00.000Z', '2026-06-01T10:00:01.000Z'),
      eventMessage('yesterday', '2026-05-31T10:00:00.000Z', '2026-06-01T10:00:02.000Z'),
      eventMessage('decided elsewhere', '2026-06-01T10:00:03.000Z', null),
    ];
    const world = messages.reduce(applySimulatorMessage, createTestSimulatorState());
    expect(world?.activity.map(({ id }) => id)).toEqual(['decided elsewhere', 'yesterday', 'tomorrow']);
  });

  it('limits the number of events', () => {
    let world: ReturnType<typeof applySimulatorMessage> = createTestSimulatorState();
    for (let n = 0; n < 250; n += 1) {
      const at = new Date(Date.UTC(2026, 5, 1) + n * 1000).toISOString();
      const way = { ...createTestActivityEntry().way, door: at };
      world = applySimulatorMessage(world, {
        type: 'activity',
        entry: createTestActivityEntry({ id: `event_${n}`, way }),
      });
      world = applySimulatorMessage(world, {
        type: 'run',
        run: { id: `run_${n}`, name: 'night', outcome: 'passed', steps: [], problem: null },
      });
    }
    expect(world?.activity).toHaveLength(200);
    expect(world?.activity[0]?.id).toBe('event_249');
    expect(world?.runs).toHaveLength(10);
    expect(world?.runs.at(-1)?.id).toBe('run_249');
  });

  it('ignores an unknown message', () => {
    const world = createTestSimulatorState();
    expect(applySimulatorMessage(world, { type: 'weather' } as unknown as SimulatorLiveMessage)).toBe(world);
  });
});
