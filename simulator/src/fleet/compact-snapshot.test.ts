import { digestOfEntries } from '@lintel/device-link/session/snapshot/snapshot-entries';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { describe, expect, it } from 'vitest';
import { CompactSnapshot } from './compact-snapshot.ts';

const digestOf = (...entries: readonly SliceEntry[]): string => digestOfEntries(entries);

const door = { type: 'gadget', id: 'gad_1', device_id: 'dev_1', actions: [{ id: 'open', name: 'Open' }] };
const elsewhere = { ...door, id: 'gad_2', device_id: 'dev_2' };
const guest = (id: string) => ({ type: 'member', id, is_deleted: false, pins: [{ id: `mp_${id}`, digest: '' }] });
const entries = (...some: readonly object[]): SliceEntry[] => some as SliceEntry[];

const change = (given: Partial<Slice> & Pick<Slice, 'digest'>): Slice => ({
  v: 1,
  from: null,
  to: 1,
  digest_key_id: 'k1',
  chunk: 0,
  chunks: 1,
  put: [],
  drop: [],
  ...given,
});

const withGuests = (): CompactSnapshot => {
  const slice = new CompactSnapshot('dev_1');
  const put = entries(elsewhere, door, guest('mem_1'), guest('mem_2'));
  expect(slice.apply([change({ put, digest: digestOf(...put) })])).toBe(true);
  return slice;
};

describe('fleet snapshot', () => {
  it('with a valid digest is kept: the own door and its members', () => {
    const slice = withGuests();
    expect(slice.door).toEqual({ gadget_id: 'gad_1', action_id: 'open' });
    expect([slice.guest(0), slice.guest(0.99)].map(one => one?.member_id)).toEqual(['mem_1', 'mem_2']);
    expect(slice.held?.revision).toBe(1);
  });

  it('is changed by a delta whose digest covers the whole', () => {
    const slice = withGuests();
    const put = entries(guest('mem_3'));
    const drop = [{ type: 'member', id: 'mem_1' }];
    const digest = digestOf(...entries(elsewhere, door, guest('mem_2'), guest('mem_3')));
    expect(slice.apply([change({ from: 1, to: 2, put, drop, digest })])).toBe(true);
    expect(slice.held).toEqual({ revision: 2, digest });
    expect(slice.guest(0)?.member_id).toBe('mem_2');
  });

  it('is not changed by a wrong digest', () => {
    const slice = withGuests();
    const before = slice.held;
    const put = entries(guest('mem_9'));
    expect(slice.apply([change({ from: 1, to: 2, put, digest: digestOf(...put) })])).toBe(false);
    expect(slice.held).toBe(before);
    expect(slice.guest(0.99)?.member_id).toBe('mem_2');
  });

  it('excludes revoked members before the next snapshot', () => {
    const slice = withGuests();
    slice.revoke(2, ['mem_1', 'mem_2']);
    expect(slice.guest(0)).toBeNull();
  });

  it('ignores a revocation that it already contains', () => {
    const slice = withGuests();
    slice.revoke(1, ['mem_1', 'mem_2']);
    expect(slice.guest(0)?.member_id).toBe('mem_1');
  });
});
