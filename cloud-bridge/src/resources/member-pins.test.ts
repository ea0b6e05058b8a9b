import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { expect, it } from 'vitest';
import { parseSealedKeyVersion } from '../secrets/sealing.ts';
import { parseTestBody, useTestOrganization } from '../test-organization.test-support.ts';
import { createMemberPin, deleteMemberPin, revealMemberPin } from './member-pins.ts';
import { createMember } from './members.ts';

const test = useTestOrganization();

/** A member with a PIN. */
const createPin = async () => {
  const member = await test.organization.write(context =>
    createMember(context, parseTestBody(createMemberRequestSchema, {})),
  );
  const body = parseTestBody(createMemberPinRequestSchema, { pin: '482913' });
  const pin = await test.organization.write(context => createMemberPin(context, member.id, body));
  return { member, pin, address: { parentId: member.id, id: pin.id } };
};

it('stores the digits sealed under the current master key', async () => {
  const { pin } = await createPin();
  const row = await test.organization.write(({ db }) =>
    db.selectFrom('member_pins').selectAll().where('id', '=', pin.id).executeTakeFirstOrThrow(),
  );
  expect(JSON.stringify(row)).not.toContain('482913');
  expect(parseSealedKeyVersion(row.sealed)).toBe(test.database.services.masterKeys.currentVersion);
});

it('reveals digits that were sealed before the master key was rotated', async () => {
  const { address } = await createPin();
  test.database.services.masterKeys.addVersion();
  const revealed = await test.organization.write(context => revealMemberPin(context, address));
  expect(revealed.pin).toBe('482913');
});

it('marks the member as changed for controllers once when the PIN is deleted', async () => {
  const { member, address } = await createPin();
  const remove = () => test.organization.write(context => deleteMemberPin(context, address));
  expect(await test.organization.changesOf(remove)).toEqual([`member ${member.id}`]);
  expect(await test.organization.changesOf(remove)).toEqual([]);
});
