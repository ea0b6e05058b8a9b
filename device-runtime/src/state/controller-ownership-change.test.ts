import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { SqliteSnapshotStore } from '../snapshot/store/sqlite-snapshot-store.ts';
import {
  createSingleDoorSnapshot,
  testCredentialDigester,
  DoorHarness,
  testDataAuthenticator,
} from '../testing/door-harness.ts';
import { TEST_DEVICE_ID, createSnapshotChunk } from '../testing/snapshot-entries.ts';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { OwnershipRecord } from './ownership-record.ts';
import { readSavedEventNumbering } from '../events/event-sequence-allocator.ts';
import { EventStore } from '../events/event-store.ts';

const FIRST = { organization_id: 'org_first', device_id: TEST_DEVICE_ID };
const SECOND = { organization_id: 'org_second', device_id: 'dev_2' };

let folder: string;
let state: MemoryState;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-owner-'));
  state = new MemoryState();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = async (): Promise<DoorHarness> => {
  const events = new EventStore({
    file: join(folder, 'events.db'),
    savedNumbering: () => readSavedEventNumbering(state),
  });
  const snapshotStore = new SqliteSnapshotStore(join(folder, 'slice.db'), testDataAuthenticator);
  return DoorHarness.open(createSingleDoorSnapshot(), { state, events, snapshotStore });
};

const unsent = (door: DoorHarness): DeviceEvent[] => {
  door.controller.eventQueues.restart();
  return [...door.controller.eventQueues.next(500)];
};

const revoked = {
  v: 1,
  revision: 100,
  member_ids: ['mem_x'],
  member_pin_ids: [],
  member_card_ids: [],
  member_token_ids: [],
  member_group_association_ids: [],
} as const;

const technician = { pass_id: null, user_id: null, name: null } as never;

describe('controller ownership', () => {
  it('survives a flipped bit in its record', () => {
    new OwnershipRecord(state).setOwner(FIRST);
    const saved = state.read('bound_to') as object;
    state.write('bound_to', { ...saved, organization_id: 'org_girst' });
    const record = new OwnershipRecord(state);
    expect([record.deviceId, record.isDifferentOwner(FIRST)]).toEqual([null, false]);
    record.setOwner(FIRST);
    expect(new OwnershipRecord(state).isDifferentOwner(SECOND)).toBe(true);
  });

  it('knows the owner of an earlier version', () => {
    state.write('bound_to', FIRST);
    expect(new OwnershipRecord(state).isDifferentOwner(SECOND)).toBe(true);
  });

  describe('after a claim for another organization', () => {
    it('denies all previous members at once, and keeps none of their data', async () => {
      const door = await open();
      door.controller.setOwner(FIRST);
      door.controller.revoke(revoked as never);
      door.controller.localRules.edit([], technician);
      door.press('2580');
      expect(door.isUnlocked).toBe(true);
      door.clock.advance(60_000);
      door.controller.setOwner(SECOND);
      door.press('2580');
      door.reader.tap('04a1b2c3');
      expect(door.isUnlocked).toBe(false);
      expect(door.controller.storedSnapshot).toBeNull();
      expect(door.controller.pendingRevocationCount).toBe(0);
      expect(door.controller.localRules.isPending).toBe(false);
      door.controller.stop();
    });

    it('uploads none of the earlier events, and reports once that they were archived', async () => {
      const door = await open();
      door.controller.setOwner(FIRST);
      door.press('2580');
      const before = new Set(unsent(door).map(({ id }) => id));
      const highest = Math.max(...unsent(door).map(({ sequence }) => sequence));
      expect(before.size).toBeGreaterThan(0);
      door.controller.setOwner(SECOND);
      door.clock.advance(5_000);
      const now = unsent(door);
      expect(now.filter(({ id }) => before.has(id))).toEqual([]);
      expect(now.filter(({ kind }) => kind === 'gap')).toEqual([]);
      expect(now.filter(({ fault }) => fault?.startsWith('claimed_again') === true)).toHaveLength(1);
      expect(Math.min(...now.map(({ sequence }) => sequence))).toBeGreaterThan(highest);
      expect(readdirSync(folder)).toContain('events.db.left-behind-1');
      door.controller.stop();
    });

    it('does the same when the claim was made while the controller was off', async () => {
      const first = await open();
      first.controller.setOwner(FIRST);
      first.press('2580');
      first.controller.stop();
      const events = new EventStore({
        file: join(folder, 'events.db'),
        savedNumbering: () => readSavedEventNumbering(state),
      });
      const snapshotStore = new SqliteSnapshotStore(join(folder, 'slice.db'), testDataAuthenticator);
      const before = events.lastSequence();
      expect(before).toBeGreaterThan(0);
      expect(snapshotStore.held()).not.toBeNull();
      const second = DoorHarness.closed({ state, events, snapshotStore });
      second.controller.setOwner(SECOND);
      second.controller.start();
      second.press('2580');
      expect(second.isUnlocked).toBe(false);
      expect(unsent(second).filter(({ sequence }) => sequence <= before)).toEqual([]);
      second.controller.stop();
    });

    it('restores its own data when it is claimed for the same device again', async () => {
      const door = await open();
      door.controller.setOwner(FIRST);
      door.press('9999#');
      const before = unsent(door).length;
      door.controller.setOwner({ ...FIRST });
      door.press('2580');
      expect(door.isUnlocked).toBe(true);
      expect(unsent(door).length).toBeGreaterThan(before);
      door.controller.stop();
    });

    it('rejects a snapshot of the previous organization that was in transit', async () => {
      const door = await open();
      door.controller.setOwner(FIRST);
      const receiving = door.controller.receiveSnapshot(
        createSnapshotChunk(createSingleDoorSnapshot(), 50, testCredentialDigester.keyId),
      );
      door.controller.setOwner(SECOND);
      expect((await receiving).kind).toBe('refused');
      door.press('2580');
      expect(door.isUnlocked).toBe(false);
      expect(door.controller.storedSnapshot).toBeNull();
      await door.serve(createSingleDoorSnapshot());
      door.reader.tap('04a1b2c3');
      expect(door.isUnlocked).toBe(true);
      door.controller.stop();
    });
  });

  it('does not activate the snapshot of another device', async () => {
    const first = await open();
    first.controller.stop();
    const events = new EventStore({
      file: join(folder, 'events.db'),
      savedNumbering: () => readSavedEventNumbering(state),
    });
    const second = DoorHarness.closed({
      state,
      events,
      snapshotStore: new SqliteSnapshotStore(join(folder, 'slice.db'), testDataAuthenticator),
    });
    second.controller.setOwner(SECOND);
    second.controller.start();
    second.press('2580');
    expect(second.isUnlocked).toBe(false);
    second.controller.stop();
  });
});
