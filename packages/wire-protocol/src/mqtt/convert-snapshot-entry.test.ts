import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type SnapshotEntryOfKnownType,
  type SnapshotEntryOf,
  snapshotEntrySchema,
  snapshotEntryTypes,
} from './snapshot-entry.ts';
import {
  convertSnapshotGadgetEntry,
  convertSnapshotGadgetTriggerEntry,
  convertSnapshotMemberEntry,
  convertSnapshotMemberGroupEntry,
  convertSnapshotScheduleEntry,
  convertSnapshotSiteEntry,
} from './convert-snapshot-entry.ts';

const golden: { message: { put: SnapshotEntryOfKnownType[] } } = JSON.parse(
  readFileSync(new URL('../../golden/mqtt/snapshot.json', import.meta.url), 'utf8'),
);

const entryOf = <T extends SnapshotEntryOfKnownType['type']>(type: T): SnapshotEntryOf<T> =>
  snapshotEntrySchema.parse(golden.message.put.find(entry => entry.type === type)) as SnapshotEntryOf<T>;

describe('reading a snapshot', () => {
  it('covers an entry of every type with the golden snapshot', () => {
    expect(golden.message.put.map(entry => entry.type)).toEqual(snapshotEntryTypes);
  });

  it('converts entries to the types of access-core', () => {
    expect(convertSnapshotSiteEntry(entryOf('site'))).toMatchObject({
      is_deleted: false,
      timezone: 'Europe/Madrid',
      geo: { radius: 100 },
    });
    expect(convertSnapshotGadgetEntry(entryOf('gadget'))).toMatchObject({ is_deleted: false, action_ids: ['open'] });
    expect(convertSnapshotScheduleEntry(entryOf('schedule'))?.weekdays).toHaveLength(7);
    expect(convertSnapshotMemberGroupEntry(entryOf('member_group')).permissions).toHaveLength(2);
    expect(convertSnapshotMemberEntry(entryOf('member'))).toMatchObject({
      ends_at: null,
      pins: [{ extended: true }],
    });
    expect(convertSnapshotGadgetTriggerEntry(entryOf('gadget_trigger'))).toMatchObject({
      source_type: 'state',
      is_deleted: false,
    });
  });

  it('makes a rule with an unknown restriction grant nothing, and keeps the positions of later rules', () => {
    const group = entryOf('member_group');
    const narrowed = { ...group, permissions: [{ weather: 'dry' }, { gadget_id: 'gad_1' }, { presence: 'near' }] };
    const nothing = { gadget_id: 'gad_not-understood' };
    expect(convertSnapshotMemberGroupEntry(narrowed).permissions).toEqual([nothing, { gadget_id: 'gad_1' }, nothing]);
  });

  it('ignores a schedule of a newer form', () => {
    const schedule = entryOf('schedule');
    expect(
      convertSnapshotScheduleEntry({
        ...schedule,
        weekdays: schedule.weekdays.map(() => ({ ranges: [], holidays: [] })),
      }),
    ).toBeNull();
  });

  it('ignores a trigger with an unknown or incomplete source', () => {
    const trigger = entryOf('gadget_trigger');
    expect(convertSnapshotGadgetTriggerEntry({ ...trigger, source_type: 'moon' })).toBeNull();
    expect(convertSnapshotGadgetTriggerEntry({ ...trigger, source_state_id: null })).toBeNull();
    expect(convertSnapshotGadgetTriggerEntry({ ...trigger, source_type: 'schedule' })).toBeNull();
  });

  it('keeps fields of a newer version, so that the digest matches', () => {
    const newer = { ...entryOf('member'), nickname: 'Ann' };
    expect(snapshotEntrySchema.parse(newer)).toEqual(newer);
  });
});
