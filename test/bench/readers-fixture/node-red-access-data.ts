import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotEntry, SnapshotEntryOf } from '@lintel/wire-protocol/mqtt/snapshot-entry';

/*
 * The data of the firmware's snapshot, for the function node of the flow. It finds a member by the plain
 * card number, without the digest that the firmware computes. Members without a card are left out.
 */

type Entries = readonly (readonly [key: string, entry: SnapshotEntry])[];

interface AccessData {
  readonly timezone: string;
  readonly gadget_id: string;
  readonly schedules: Entries;
  readonly groups: Entries;
  /** By card number. */
  readonly members: Entries;
}

const fileIn = (folder: string): string => join(folder, 'node-red-access-data.json');

/** `uidOf` takes the position of a member in the list. */
export const writeNodeRedAccessData = (
  folder: string,
  door: readonly SnapshotEntry[],
  members: readonly SnapshotEntry[],
  uidOf: (number: number) => string,
): void => {
  const entriesOf = (type: SnapshotEntry['type']): SnapshotEntry[] => door.filter(entry => entry.type === type);
  const byId = (entries: readonly SnapshotEntry[]): Entries => entries.map(entry => [entry.id, entry]);
  const [site] = entriesOf('site') as [SnapshotEntryOf<'site'>];
  const data: AccessData = {
    timezone: site.timezone!,
    gadget_id: entriesOf('gadget')[0]!.id,
    schedules: byId(entriesOf('schedule')),
    groups: byId(entriesOf('member_group')),
    members: members.flatMap((member, number) =>
      (member as SnapshotEntryOf<'member'>).cards.length > 0 ? [[uidOf(number), member]] : [],
    ),
  };
  writeFileSync(fileIn(folder), JSON.stringify(data));
};

export const readNodeRedAccessData = (folder: string) => {
  const { schedules, groups, members, ...door } = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as AccessData;
  return { ...door, schedules: new Map(schedules), groups: new Map(groups), members: new Map(members) };
};
