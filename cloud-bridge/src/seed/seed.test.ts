import { describe, expect, it } from 'vitest';
import { ApiError, createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import { doorGadgetRequest, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import {
  requireSeedFields,
  requireSeedList,
  replaceSeedKeyWithId,
  SeedKeyResolver,
  replaceSeedTagKeysWithIds,
} from './seed-references.ts';
import { seedOrganization } from './seed.ts';
import { parseSeedFile } from './seed-file.ts';
import { withSeedGadgetErrorPaths, withSeedErrorPath } from './seed-error-path.ts';

const organization = { key: 'org', name: 'Hotel' };
const problemsOf = (content: unknown): string[] => {
  const parsed = parseSeedFile(content);
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('parseSeedFile', () => {
  it('reads known lists and separates the key from the fields', () => {
    const file = unwrapOrThrow(parseSeedFile({ organization, sites: [{ key: 's', name: 'Site' }] }));
    expect(file.organization).toEqual({ key: 'org', path: 'organization', fields: { name: 'Hotel' } });
    expect(file.lists.sites).toEqual([{ key: 's', path: 'sites.0', fields: { name: 'Site' } }]);
    expect(file.lists.members).toEqual([]);
  });

  it.each([
    [null, [' invalid_type']],
    [[], [' invalid_type']],
    [{}, ['organization invalid_type']],
    [{ organization: { name: 'x' } }, ['organization.key required']],
    [{ organization, doors: [] }, ['doors unknown_field']],
    [{ organization, sites: {} }, ['sites invalid_type']],
    [{ organization, sites: ['s'] }, ['sites.0 invalid_type']],
    [{ organization, sites: [{ key: '' }, { key: 5 }] }, ['sites.0.key required', 'sites.1.key required']],
    [{ organization, sites: [{ key: 'x'.repeat(201) }] }, ['sites.0.key required']],
    [{ organization, sites: [{ key: 'a' }], tags: [{ key: 'a' }] }, ['sites.0.key repeated_key']],
    [{ organization, sites: [{ key: 'org' }] }, ['sites.0.key repeated_key']],
  ])('rejects %j', (content, problems) => {
    expect(problemsOf(content)).toEqual(problems);
  });
});

describe('SeedIds', () => {
  it('prefers keys of this file to those of earlier files', async () => {
    const ids = new SeedKeyResolver(
      new Map([
        ['a', 'old'],
        ['b', 'older'],
      ]),
    );
    ids.set('a', 'new');
    expect([ids.resolve('a', 'p'), ids.resolve('b', 'p'), ids.has('b')]).toEqual(['new', 'older', false]);
    expect(ids.asObject()).toEqual({ a: 'new' });
    for (const key of ['c', null, 5]) {
      expect(await captureApiError((async () => ids.resolve(key, 'members.0.groups.1'))())).toBe(
        'invalid_request: members.0.groups.1',
      );
    }
  });
});

describe('replaceSeedKeyWithId, replaceSeedTagKeysWithIds, requireSeedList and requireSeedFields', () => {
  const ids = new SeedKeyResolver(
    new Map([
      ['s', 'site_1'],
      ['t', 'tag_1'],
    ]),
  );

  it('replace keys with ids in the fields of the API', () => {
    expect(replaceSeedKeyWithId({ site: 's', name: 'x' }, 'site', 'site_id', ids, 'p')).toEqual({
      site_id: 'site_1',
      name: 'x',
    });
    expect(replaceSeedKeyWithId({ name: 'x' }, 'site', 'site_id', ids, 'p')).toEqual({ name: 'x' });
    expect(replaceSeedKeyWithId({ site: null }, 'site', 'site_id', ids, 'p')).toEqual({ site_id: null });
    const entry = { key: 'k', path: 'sites.0', fields: { tags: ['t'] } };
    expect(replaceSeedTagKeysWithIds(entry, ids)).toEqual({ tag_ids: ['tag_1'] });
  });

  it('name the path of an invalid value', () => {
    expect(requireSeedList(undefined, 'p')).toEqual([]);
    for (const [work, field] of [
      [() => requireSeedList('x', 'members.0.pins'), 'members.0.pins'],
      [() => requireSeedFields([], 'members.0.cards.0'), 'members.0.cards.0'],
      [() => requireSeedFields(null, 'a.b'), 'a.b'],
      [() => replaceSeedTagKeysWithIds({ key: 'k', path: 'sites.0', fields: { tags: ['?'] } }, ids), 'sites.0.tags.0'],
    ] as const) {
      expect(work).toThrow(expect.objectContaining({ args: { field } }));
    }
  });
});

const fail = (error: unknown) => async () => {
  throw error;
};

describe('withSeedErrorPath', () => {
  it('prefixes the field with the path once', async () => {
    expect(await captureApiError(withSeedErrorPath('members.0', fail(createInvalidFieldError('name', 'x'))))).toBe(
      'invalid_request: members.0.name',
    );
    const named = createInvalidFieldError('members.0.groups.1', 'x');
    expect(await captureApiError(withSeedErrorPath('members.0', fail(named)))).toBe(
      'invalid_request: members.0.groups.1',
    );
    expect(await captureApiError(withSeedErrorPath('a', fail(new ApiError('invalid_request', 'x'))))).toBe(
      'invalid_request: a',
    );
  });

  it('does not change other errors', async () => {
    await expect(withSeedErrorPath('members.0', fail(new TypeError('bug')))).rejects.toThrow(TypeError);
    expect(await captureApiError(withSeedErrorPath('members.0', fail(new ApiError('not_found', 'x'))))).toBe(
      'not_found',
    );
  });
});

describe('withSeedGadgetErrorPaths', () => {
  it('uses the path of the gadget entry instead of the device', async () => {
    const gadgets = [{ key: 'g', path: 'gadgets.4', fields: {} }];
    const work = withSeedGadgetErrorPaths(
      gadgets,
      fail(createInvalidFieldError('gadgets.0.name', 'gadgets.0.name is missing')),
    );
    expect(await captureApiError(withSeedErrorPath('devices.0', () => work))).toBe('invalid_request: gadgets.4.name');
  });
});

describe('seedOrganization', () => {
  const test = useTestOrganization();
  let files = 0;
  /** Each file declares another organization. */
  const fileWith = (content: object, key = `org ${(files += 1)}`) =>
    unwrapOrThrow(parseSeedFile({ organization: { key, name: 'Hotel' }, ...content }));
  const run = (content: object, key?: string) => seedOrganization(test.database.services, fileWith(content, key));
  const rowsOf = (table: 'members' | 'sites' | 'devices' | 'gadgets', organizationId: string) =>
    test.database.services.storage.writer
      .selectFrom(table)
      .select(['id', 'name'])
      .where('organization_id', '=', organizationId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  const building = {
    sites: [{ key: 's', name: 'Site' }],
    devices: [{ key: 'd', name: 'Device', site: 's', product_id: 'multiple' }],
    gadgets: [{ key: 'g', device: 'd', ...doorGadgetRequest }],
  };

  it('creates everything with references resolved', async () => {
    const { ids } = await run({
      ...building,
      tags: [{ key: 't', name: 'VIP' }],
      member_groups: [{ key: 'mg', permissions: [{ gadget: 'g', action_id: 'open' }] }],
      members: [{ key: 'm', name: 'Ada', groups: ['mg'], pins: ['482913'], tags: ['t'], cards: [{ uid: '04a1b2c3' }] }],
    });
    expect(Object.keys(ids).toSorted()).toEqual(expect.arrayContaining(['d', 'g', 'm', 'mg', 's', 't']));
    const members = await test.database.services.storage.writer
      .selectFrom('members')
      .selectAll()
      .where('id', '=', ids['m']!)
      .execute();
    expect(members).toMatchObject([{ name: 'Ada', tag_ids: JSON.stringify([ids['t']]) }]);
  });

  it('creates only new objects when it runs again', async () => {
    const first = await run({ members: [{ key: 'm1', name: 'Ada' }] }, 'repeated');
    const second = await run(
      {
        members: [
          { key: 'm1', name: 'Changed' },
          { key: 'm2', name: 'Grace' },
        ],
      },
      'repeated',
    );
    expect(second.ids['m1']).toBe(first.ids['m1']);
    const rows = await rowsOf('members', first.ids['repeated']!);
    expect(rows.map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  });

  it('creates groups in the order of their inheritance', async () => {
    const { ids } = await run({
      member_groups: [
        { key: 'a', permissions: [{ group: 'b' }] },
        { key: 'b', permissions: [] },
      ],
    });
    expect(ids['a']).toMatch(/^mg_/);
    const circle = [
      { key: 'a', permissions: [{ group: 'b' }] },
      { key: 'b', permissions: [{ group: 'a' }] },
    ];
    expect(await captureApiError(run({ member_groups: circle }))).toBe('invalid_request: member_groups.0.permissions');
  });

  it.each([
    ['members.0.pins.0', { members: [{ key: 'm', pins: ['12'] }] }],
    ['members.0.groups.0', { members: [{ key: 'm', groups: ['nobody'] }] }],
    ['members.0.nam', { members: [{ key: 'm', nam: 'typo' }] }],
    ['sites.0.timezone', { sites: [{ key: 's', name: 'x', timezone: 'Mars/Base' }] }],
    ['devices.0.site', { devices: [{ key: 'd', name: 'x', site: '?' }] }],
    ['gadgets.0.device', { gadgets: [{ key: 'g', device: '?', name: 'x' }] }],
    ['gadgets.0.state_id', { ...building, gadgets: [{ key: 'g', device: 'd', ...doorGadgetRequest, state_id: '?' }] }],
    [
      'devices.0.input_rules.0.gadget',
      {
        ...building,
        devices: [{ ...building.devices[0]!, input_rules: [{ code: '', gadget: '?', action_id: 'open' }] }],
      },
    ],
  ])('reports %s and creates nothing', async (field, content) => {
    const before = await test.database.services.storage.writer.selectFrom('organizations').select('id').execute();
    const key = `failing ${field}`;
    expect(await captureApiError(run(content, key))).toMatch(new RegExp(`^invalid_request: ${field}(\\.pin)?$`));
    const after = await test.database.services.storage.writer.selectFrom('organizations').select('id').execute();
    expect(after).toEqual(before);
    expect((await run({}, key)).ids).toHaveProperty([key]);
  });

  it('keeps a gadget at its device when a later file lists it under a new device', async () => {
    const first = await run(building, 'moved');
    const second = await run(
      {
        ...building,
        devices: [...building.devices, { key: 'd2', name: 'Second', site: 's', product_id: 'multiple' }],
        gadgets: [{ key: 'g', device: 'd2', ...doorGadgetRequest }],
      },
      'moved',
    );
    expect(second.ids['g']).toBe(first.ids['g']);
    expect(await rowsOf('gadgets', first.ids['moved']!)).toHaveLength(1);
  });
});
