import { mkdirSync, mkdtempSync, renameSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLockoutTimes } from '@lintel/access-core/lockout';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PersistedLockout } from './access/persisted-non-keypad-lockout.ts';
import { SelectedProfileFile, UNCONFIGURED_PRODUCT_ID } from './profile/selected-profile.ts';
import { DoorHarness } from './testing/door-harness.ts';

const LONGEST_MS = defaultLockoutTimes.longest_lockout_ms;

class UnreadableState extends MemoryState {
  readonly #key: string;

  constructor(key: string) {
    super();
    this.#key = key;
  }

  isUnreadable(key: string): boolean {
    return key === this.#key;
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-unreadable-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reads of the file fail until the returned function is called. */
const makeUnreadable = (name: string): (() => void) => {
  const path = join(folder, name);
  renameSync(path, `${path}.kept`);
  mkdirSync(path, { mode: 0o700 });
  return () => {
    rmdirSync(path);
    renameSync(`${path}.kept`, path);
  };
};

describe('a file that cannot be read at the start', () => {
  it('locks keypads for the longest time instead of forgetting wrong PINs; cards work', async () => {
    const door = await DoorHarness.open(undefined, { state: new UnreadableState('lockouts') });
    door.press('2580');
    expect(door.isUnlocked).toBe(false);
    door.reader.tap('04a1b2c3');
    expect(door.isUnlocked).toBe(true);
    door.clock.advance(LONGEST_MS);
    door.press('2580');
    expect(door.isUnlocked).toBe(true);
  });

  it('locks the login of technicians for the longest time', () => {
    const clock = new VirtualClock();
    const state = new UnreadableState('technician_lockout');
    const lockout = new PersistedLockout({ clock, state, key: 'technician_lockout', times: defaultLockoutTimes });
    expect(lockout.lockedForMs()).toBe(LONGEST_MS);
    clock.advance(LONGEST_MS);
    expect(lockout.lockedForMs()).toBe(0);
  });

  it('keeps the chosen profile and finds when it can be read again', () => {
    const profile = loadProfile('laptop-simulator');
    new SelectedProfileFile(folder).save(profile);
    const makeReadable = makeUnreadable('profile.json');
    const file = new SelectedProfileFile(folder);
    const read = file.read();
    expect(read.profile.product_id).toBe(UNCONFIGURED_PRODUCT_ID);
    expect(read.problem).toContain('cannot be read');
    expect(file.canReadAgain()).toBe(false);
    makeReadable();
    expect(file.canReadAgain()).toBe(true);
    expect(new SelectedProfileFile(folder).read()).toMatchObject({
      profile: { product_id: profile.product_id },
      problem: null,
    });
  });

  it('keeps the digest key and finds when it can be read again', async () => {
    const start = () => createSimulatedController({ dataDir: folder, log: () => undefined });
    const first = start();
    const { digestKey } = first;
    await first.stop();
    const makeReadable = makeUnreadable('digest.key');
    const second = start();
    expect(second.controller.faults().map(({ code }) => code)).toContain('digest_key');
    expect(second.canReadAgain()).toBe(false);
    makeReadable();
    expect(second.canReadAgain()).toBe(true);
    await second.stop();
    const third = start();
    expect(third.digestKey).toEqual(digestKey);
    await third.stop();
  });
});
