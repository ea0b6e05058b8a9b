import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { describe, expect, it } from 'vitest';
import { DoorHarness, TEST_NOON } from '../testing/door-harness.ts';

const replaced = { serial: '0a', replaced_at: TEST_NOON };
const fault = ({ controller }: DoorHarness): string | undefined =>
  controller.faults().find(({ code }) => code === 'replaced')?.message;

const pass = (world: DoorHarness, milliseconds: number): void => {
  world.time.setByBridge(instant(world.time.now() + milliseconds - 1_000));
  world.clock.advance(1_100);
};

describe('a replaced controller', () => {
  it('admits people for a day, then nobody, and the exit button still works', async () => {
    const world = await DoorHarness.open();
    world.time.setByBridge(TEST_NOON);
    world.controller.setReplacement(replaced);
    expect(fault(world)).toBe(
      'This controller was replaced by another on 2026-06-01T10:00:00.000Z. People are admitted until 2026-06-02T10:00:00.000Z',
    );
    world.press('2580');
    expect(world.isUnlocked).toBe(true);
    world.clock.advance(20_000);
    pass(world, DAY_MS);
    expect(fault(world)).toMatch(/All access is denied$/);
    expect(world.isUnlocked).toBe(false);
    world.press('2580');
    expect(world.isUnlocked).toBe(false);
    expect(world.recorded.findLast(({ kind }) => kind === 'deny')).toMatchObject({ reason: 'unknown_credential' });
    world.inputs.set('exit-0', 'active');
    expect(world.isUnlocked).toBe(true);
  });

  it('is in use again when the bridge accepts it, or when it is claimed again', async () => {
    const state = new MemoryState();
    const before = await DoorHarness.open(undefined, { state });
    before.time.setByBridge(TEST_NOON);
    before.controller.setReplacement(replaced);
    const world = await DoorHarness.open(undefined, { state });
    expect(fault(world)).toMatch(/^This controller was replaced/);
    world.controller.setReplacement(null);
    expect(fault(world)).toBeUndefined();
    world.controller.setReplacement(replaced);
    const owner = { organization_id: 'org_1', device_id: 'dev_own' };
    world.controller.setOwner({ ...owner, serial: '0a' });
    expect(fault(world)).toBeDefined();
    world.controller.setOwner({ ...owner, serial: '0b' });
    expect(fault(world)).toBeUndefined();
    expect(state.read('replaced')).toBeNull();
  });
});
