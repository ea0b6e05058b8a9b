import {
  type CompleteSnapshotTransfer,
  digestSnapshotEntries,
} from '@lintel/device-link/session/snapshot/apply-snapshot-chunks';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { describe, expect, it } from 'vitest';
import { CompactFleetSnapshot } from './compact-snapshot.ts';

const digestOf = (...entries: readonly SnapshotEntry[]): string => digestSnapshotEntries(entries);

const door = { type: 'gadget', id: 'gad_1', device_id: 'dev_1', actions: [{ id: 'open', name: 'Open' }] };
const otherDoor = { ...door, id: 'gad_2', device_id: 'dev_2' };
const guest = (id: string) => ({ type: 'member', id, is_deleted: false, pins: [{ id: `mp_${id}`, digest: '' }] });
const entries = (...some: readonly object[]): SnapshotEntry[] => some as SnapshotEntry[];

type GivenTransfer = Partial<CompleteSnapshotTransfer['chunks'][number]> &
  Partial<Pick<CompleteSnapshotTransfer, 'from' | 'to'>> &
  Pick<CompleteSnapshotTransfer, 'digest'>;

const transfer = ({ put = [], drop = [], from = null, to = 1, digest }: GivenTransfer): CompleteSnapshotTransfer => ({
  from,
  to,
  digest,
  chunks: [{ put, drop }],
});

const snapshotWithMembers = (): CompactFleetSnapshot => {
  const snapshot = new CompactFleetSnapshot('dev_1');
  const put = entries(otherDoor, door, guest('mem_1'), guest('mem_2'));
  expect(snapshot.apply(transfer({ put, digest: digestOf(...put) }))).toBe(true);
  return snapshot;
};

describe('CompactFleetSnapshot', () => {
  it('stores its own door and members when the digest is valid', () => {
    const snapshot = snapshotWithMembers();
    expect(snapshot.door).toEqual({ gadget_id: 'gad_1', action_id: 'open' });
    expect([snapshot.pickMember(0), snapshot.pickMember(0.99)].map(member => member?.member_id)).toEqual([
      'mem_1',
      'mem_2',
    ]);
    expect(snapshot.held?.revision).toBe(1);
  });

  it('applies a delta whose digest covers the whole snapshot', () => {
    const snapshot = snapshotWithMembers();
    const put = entries(guest('mem_3'));
    const drop = [{ type: 'member', id: 'mem_1' }];
    const digest = digestOf(...entries(otherDoor, door, guest('mem_2'), guest('mem_3')));
    expect(snapshot.apply(transfer({ from: 1, to: 2, put, drop, digest }))).toBe(true);
    expect(snapshot.held).toEqual({ revision: 2, digest });
    expect(snapshot.pickMember(0)?.member_id).toBe('mem_2');
  });

  it('rejects a wrong digest', () => {
    const snapshot = snapshotWithMembers();
    const before = snapshot.held;
    const put = entries(guest('mem_9'));
    expect(snapshot.apply(transfer({ from: 1, to: 2, put, digest: digestOf(...put) }))).toBe(false);
    expect(snapshot.held).toBe(before);
    expect(snapshot.pickMember(0.99)?.member_id).toBe('mem_2');
  });

  it('excludes revoked members before the next snapshot', () => {
    const snapshot = snapshotWithMembers();
    snapshot.revoke(2, ['mem_1', 'mem_2']);
    expect(snapshot.pickMember(0)).toBeNull();
  });

  it('ignores a revocation that it already contains', () => {
    const snapshot = snapshotWithMembers();
    snapshot.revoke(1, ['mem_1', 'mem_2']);
    expect(snapshot.pickMember(0)?.member_id).toBe('mem_1');
  });
});
