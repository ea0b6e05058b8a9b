import { describe, expect, it } from 'vitest';
import { checkProfile } from './check-profile.ts';
import { readShippedProfile, setValueAtPath } from './profile-json.test-support.ts';
import { buildWiringGroups } from './wiring-groups.ts';

const osdpRows = (changes: Readonly<Record<string, unknown>>): string[] => {
  const tree = readShippedProfile('rpi-osdp');
  for (const [path, value] of Object.entries(changes)) setValueAtPath(tree, path, value);
  const checked = checkProfile(tree);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const readers = buildWiringGroups(checked.profile).find(({ title }) => title === 'Readers')!;
  return readers.rows.map(({ from }) => from).filter(from => from.startsWith('address'));
};

describe('buildWiringGroups', () => {
  it('names the reader inside an OSDP peripheral only where it has several', () => {
    expect(osdpRows({})).toEqual(['address 0', 'address 1']);
    const second = {
      'buses.rs485.readers.staff_reader.address': 0,
      'buses.rs485.readers.staff_reader.reader_number': 1,
    };
    expect(osdpRows(second)).toEqual(['address 0, reader 0', 'address 0, reader 1']);
  });
});
