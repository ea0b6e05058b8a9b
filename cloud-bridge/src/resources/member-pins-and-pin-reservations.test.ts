import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseSealedKeyVersion } from '../secrets/sealing.ts';
import {
  parseTestBody,
  captureApiError,
  type TestOrganization,
  useTestOrganization,
} from '../test-organization.test-support.ts';
import { createMemberPin, deleteMemberPin, revealMemberPin } from './member-pins.ts';
import { createMember } from './members.ts';
import { reservePin, lookUpReservedPins, releasePin } from './pin-reservations.ts';

const test = useTestOrganization();
const newMember = async (organization: TestOrganization): Promise<string> =>
  (await organization.write(context => createMember(context, parseTestBody(createMemberRequestSchema, {})))).id;

let member: string;
beforeEach(async () => {
  member = await newMember(test.organization);
});

const create = (given: object, memberId = member, organization = test.organization) =>
  organization.write(context => createMemberPin(context, memberId, parseTestBody(createMemberPinRequestSchema, given)));
const address = (id: string, parentId = member) => ({ parentId, id });
const reveal = (id: string, parentId?: string) =>
  test.organization.write(context => revealMemberPin(context, address(id, parentId)));
const remove = (id: string, parentId?: string) =>
  test.organization.write(context => deleteMemberPin(context, address(id, parentId)));

describe('createMemberPin', () => {
  it('stores the digits sealed under the organization key and returns them', async () => {
    const pin = await create({ pin: '482913' });
    expect(pin).toMatchObject({ pin: '482913', length: 6, member_id: member });
    const { rows } = await test.organization.write(async ({ db }) => ({
      rows: await db.selectFrom('member_pins').selectAll().where('id', '=', pin.id).execute(),
    }));
    expect(JSON.stringify(rows)).not.toContain('482913');
    expect(parseSealedKeyVersion(rows[0]!.sealed)).toBe(test.database.services.masterKeys.currentVersion);
  });

  it('rejects digits that another PIN of the organization has', async () => {
    await create({ pin: '482913' });
    expect(await captureApiError(create({ pin: '482913' }, await newMember(test.organization)))).toBe(
      'invalid_request: pin',
    );
  });

  it('accepts digits that a PIN of another organization has', async () => {
    const other = await test.database.addOrganization();
    await create({ pin: '482913' }, await newMember(other), other);
    expect((await create({ pin: '482913' })).pin).toBe('482913');
  });

  it('accepts chosen digits that are a prefix or an extension of another PIN', async () => {
    await create({ pin: '482913' });
    expect((await create({ pin: '4829' })).length).toBe(4);
    expect((await create({ pin: '48291377' })).length).toBe(8);
  });

  it.each([4, 9, 20])('generates a PIN of %i digits', async length => {
    expect((await create({ length })).pin).toMatch(new RegExp(`^\\d{${length}}$`));
  });

  it('writes nothing when it fails', async () => {
    await create({ pin: '482913' });
    expect(await test.organization.eventsOf(() => captureApiError(create({ pin: '482913' })))).toEqual([]);
    const count = await test.organization.write(({ db }) =>
      db.selectFrom('member_pins').select('id').where('member_id', '=', member).execute(),
    );
    expect(count).toHaveLength(1);
  });

  it('does not find a member of another organization', async () => {
    const other = await test.database.addOrganization();
    expect(await captureApiError(create({ pin: '1234' }, await newMember(other)))).toBe('not_found');
  });
});

describe('revealMemberPin', () => {
  it('records the reveal without a change for controllers', async () => {
    const { id } = await create({ pin: '482913' });
    const changes = await test.organization.changesOf(async () => {
      const events = await test.organization.eventsOf(async () => {
        expect((await reveal(id)).pin).toBe('482913');
      });
      expect(events).toEqual(['reveal member_pin']);
    });
    expect(changes).toEqual([]);
  });

  it('does not find a PIN below another member, nor a deleted one', async () => {
    const { id } = await create({ pin: '482913' });
    expect(await captureApiError(reveal(id, await newMember(test.organization)))).toBe('not_found');
    await remove(id);
    expect(await captureApiError(reveal(id))).toBe('not_found');
  });

  it('opens a PIN that was sealed before the master key was rotated', async () => {
    const { id } = await create({ pin: '482913' });
    test.database.services.masterKeys.addVersion();
    expect((await reveal(id)).pin).toBe('482913');
  });
});

describe('deleteMemberPin', () => {
  it('frees the digits and their prefixes', async () => {
    const { id } = await create({ pin: '482913' });
    await remove(id);
    const found = await test.organization.write(context => lookUpReservedPins(context, ['482913', '4829', '48291']));
    expect([...found.pins, ...found.prefixes]).toEqual([]);
    expect((await create({ pin: '482913' })).pin).toBe('482913');
  });

  it('marks the member as changed once', async () => {
    const { id } = await create({ pin: '482913' });
    expect(await test.organization.changesOf(() => remove(id))).toEqual([`member ${member}`]);
    expect(await test.organization.changesOf(() => remove(id))).toEqual([]);
  });

  it('does not free digits that another PIN has reserved since', async () => {
    const { id } = await create({ pin: '482913' });
    await remove(id);
    await create({ pin: '482913' });
    await remove(id);
    expect(await captureApiError(create({ pin: '482913' }))).toBe('invalid_request: pin');
  });
});

describe('lookUpReservedPins', () => {
  it('separates PINs from prefixes of PINs and reports each code once', async () => {
    await create({ pin: '482913' });
    await create({ pin: '4829' });
    const found = await test.organization.write(context =>
      lookUpReservedPins(context, ['4829', '48291', '482913', '4829137']),
    );
    expect([...found.pins].toSorted()).toEqual(['4829', '482913']);
    expect([...found.prefixes]).toEqual(['48291']);
  });

  it('finds nothing of another organization', async () => {
    await create({ pin: '482913' });
    const other = await test.database.addOrganization();
    const found = await other.write(context => lookUpReservedPins(context, ['482913', '4829']));
    expect([found.pins.size, found.prefixes.size]).toEqual([0, 0]);
  });

  it('accepts an empty list of codes', async () => {
    const found = await test.organization.write(context => lookUpReservedPins(context, []));
    expect([found.pins.size, found.prefixes.size]).toEqual([0, 0]);
  });
});

describe('reservePin', () => {
  it('reserves digits once until they are released', async () => {
    const attempts = await test.organization.write(async context => [
      await reservePin(context, 'mp_1', '777777'),
      await reservePin(context, 'mp_2', '777777'),
      (await releasePin(context, 'mp_2'), await reservePin(context, 'mp_2', '777777')),
      (await releasePin(context, 'mp_1'), await reservePin(context, 'mp_2', '777777')),
    ]);
    expect(attempts).toEqual([true, false, false, true]);
  });
});
