import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import { DoorHarness } from '../testing/door-harness.ts';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { createDeviceEntry } from '../testing/snapshot-entries.ts';
import { ActiveSnapshot } from './active-snapshot.ts';

const codes = ({ controller }: DoorHarness): string[] => controller.faults().map(({ code }) => code);
const pass = (world: DoorHarness, milliseconds: number): void => {
  world.time.setByBridge(instant(world.time.now() + milliseconds - 1_000));
  world.clock.advance(1_100);
};

describe('snapshot age', () => {
  it('raises a fault after a week without the bridge, and access is still granted', async () => {
    const world = await DoorHarness.open();
    world.controller.confirmSnapshot();
    pass(world, 7 * DAY_MS - 10_000);
    expect(codes(world)).not.toContain('slice_old');
    pass(world, 20_000);
    expect(codes(world)).toContain('slice_old');
    world.press('2580');
    expect(world.isUnlocked).toBe(true);
    world.controller.confirmSnapshot();
    pass(world, 2_000);
    expect(codes(world)).not.toContain('slice_old');
  });

  it('denies everyone after a configured age, until the bridge is reachable again', async () => {
    const world = await DoorHarness.open(undefined, { snapshotRefusedAfterMs: DAY_MS });
    world.controller.confirmSnapshot();
    pass(world, DAY_MS + 10_000);
    world.press('2580');
    expect(world.isUnlocked).toBe(false);
    expect(codes(world)).toContain('slice_refused');
    expect(world.recorded.find(({ kind }) => kind === 'deny')).toMatchObject({ reason: 'unknown_credential' });
    world.controller.confirmSnapshot();
    world.press('2580');
    expect(world.isUnlocked).toBe(true);
  });

  it('continues over a restart', async () => {
    const state = new MemoryState();
    const first = await DoorHarness.open(undefined, { state });
    first.controller.confirmSnapshot();
    const next = await DoorHarness.open(undefined, { state });
    pass(next, 8 * DAY_MS);
    expect(codes(next)).toContain('slice_old');
  });
});

const rule = { code: '5', gadget_id: 'gad_door', action_id: 'open' };

const rulesOf = (...input_rules: readonly object[]) => {
  const snapshot = new ActiveSnapshot();
  snapshot.put(createDeviceEntry(input_rules));
  return snapshot.rules;
};

describe('input rules of the active snapshot', () => {
  it('ignores a field of a newer bridge', () => {
    expect(rulesOf({ ...rule, only_after: '22:00' }).rules).toEqual([rule]);
  });

  it('disables all rules if two have the same code', () => {
    const { rules, fallback } = rulesOf(rule, rule, { ...rule, code: '' });
    expect([rules, fallback]).toEqual([[], null]);
  });
});
