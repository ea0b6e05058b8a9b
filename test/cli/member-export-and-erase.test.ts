import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { asWholeWord } from '../support/as-whole-word.ts';

const seedFile = (key: string) => ({
  organization: { key, name: key },
  members: [
    { key: 'ann', name: 'Ann', pins: ['2580'], emails: ['ann@example.test'], cards: [{ uid: '04a1b2c3d4e5f6' }] },
    { key: 'ben', name: 'Ben', pins: ['4711'] },
  ],
});

describe('lintel member', () => {
  let dataDir: string;
  let hotel: Record<string, string>;
  let office: Record<string, string>;

  const seed = async (key: string): Promise<Record<string, string>> => {
    const file = join(dataDir, `${key}.json`);
    writeFileSync(file, JSON.stringify(seedFile(key)), { mode: 0o600 });
    const { stdout } = await runLintel('seed', file, '--data', dataDir, '--json');
    return (JSON.parse(stdout) as { ids: Record<string, string> }).ids;
  };
  const member = (verb: string, id: string, organizationId: string, ...args: readonly string[]) =>
    runLintel('member', verb, id, '--organization', organizationId, '--data', dataDir, ...args);

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'lintel-members-'));
    hotel = await seed('hotel');
    office = await seed('office');
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('exports all data about a member as JSON, without secrets', async () => {
    const plain = await member('export', hotel['ann']!, hotel['hotel']!);
    expect([plain.code, plain.stderr]).toEqual([0, '']);
    const data = JSON.parse(plain.stdout) as { exported_at: string };
    expect(data).toMatchObject({
      member: { id: hotel['ann'], name: 'Ann' },
      emails: [{ email: 'ann@example.test' }],
      pins: [{ length: 4 }],
      cards: [{ member_id: hotel['ann'] }],
      magic_links: [],
      deliveries: [],
    });
    expect(plain.stdout).not.toMatch(asWholeWord('2580'));
    expect(plain.stdout).not.toContain(hotel['ben']);
    const inOneLine = await member('export', hotel['ann']!, hotel['hotel']!, '--json');
    expect(inOneLine.stdout.trim().split('\n')).toHaveLength(1);
    expect({ ...(JSON.parse(inOneLine.stdout) as object), exported_at: data.exported_at }).toEqual(data);
  });

  it.each(['export', 'erase'])(
    '%s refuses unknown members, members of another organization and unknown organizations',
    async verb => {
      const unknown = { code: 1, stdout: '' };
      expect(await member(verb, 'mem_unknown', hotel['hotel']!)).toEqual({
        ...unknown,
        stderr: 'The member mem_unknown does not exist.\n',
      });
      expect(await member(verb, office['ann']!, hotel['hotel']!)).toEqual({
        ...unknown,
        stderr: `The member ${office['ann']} does not exist.\n`,
      });
      expect(await member(verb, hotel['ann']!, 'org_unknown')).toEqual({
        ...unknown,
        stderr: 'The organization org_unknown does not exist.\n',
      });
      expect((await runLintel('member', verb, hotel['ann']!, '--data', dataDir)).code).toBe(2);
      expect((await runLintel('member', verb, '--organization', hotel['hotel']!, '--data', dataDir)).code).toBe(2);
      expect((await member('export', office['ann']!, office['office']!)).code).toBe(0);
    },
  );

  it('erases a member, and leaves others as they are', async () => {
    const erased = await member('erase', hotel['ann']!, hotel['hotel']!, '--json');
    expect([erased.code, JSON.parse(erased.stdout)]).toEqual([0, { member_id: hotel['ann'], is_erased: true }]);
    const { stdout } = await member('export', hotel['ann']!, hotel['hotel']!);
    expect(JSON.parse(stdout)).toMatchObject({
      member: { name: '', is_deleted: true },
      emails: [],
      pins: [],
      cards: [],
      events: expect.arrayContaining([expect.objectContaining({ verb: 'delete', reason: 'erased' })]),
    });
    const services = await openBridgeServices({ dataDir });
    const { reader } = services.storage;
    const rows = await reader.selectFrom('members').select('id').where('name', '<>', '').orderBy('id').execute();
    const pins = await reader.selectFrom('member_pins').select('member_id').orderBy('member_id').execute();
    await services.close();
    const others = [hotel['ben']!, office['ann']!, office['ben']!].toSorted();
    expect(rows.map(({ id }) => id)).toEqual(others);
    expect(pins.map(({ member_id }) => member_id)).toEqual(others);
  });

  it('erases a member again without an error', async () => {
    expect(await member('erase', hotel['ann']!, hotel['hotel']!)).toEqual({
      code: 0,
      stdout: `Erased ${hotel['ann']}\n`,
      stderr: '',
    });
  });
});
