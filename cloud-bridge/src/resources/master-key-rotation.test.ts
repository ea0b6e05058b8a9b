import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { createWebhookRequestSchema } from '@lintel/wire-protocol/rest/webhook';
import { describe, expect, it } from 'vitest';
import { parseSealedKeyVersion } from '../secrets/sealing.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { rotateMasterKey, countSecretsUnderKey } from './master-key-rotation.ts';
import { createMagicLink, revealMagicLink } from './magic-links.ts';
import { createMemberPin, revealMemberPin } from './member-pins.ts';
import { createMember, deleteMember } from './members.ts';
import { getOrCreateOrganizationSigningKey } from './organization-signing-keys.ts';
import { lookUpReservedPins } from './pin-reservations.ts';
import { createWebhook } from './webhooks.ts';

const test = useTestOrganization();
const newMember = async () =>
  (await test.organization.write(context => createMember(context, parseTestBody(createMemberRequestSchema, {})))).id;
const addPin = (memberId: string, pin: string) =>
  test.organization.write(context =>
    createMemberPin(context, memberId, parseTestBody(createMemberPinRequestSchema, { pin })),
  );

describe('rotateMasterKey', () => {
  it('reseals everything under the new key, so that the old key can be removed', async () => {
    const { services } = test.database;
    const member = await newMember();
    const pin = await addPin(member, '482913');
    const link = await test.organization.write(context =>
      createMagicLink(context, member, { metadata: {} }, 'https://example.com'),
    );
    const webhook = parseTestBody(createWebhookRequestSchema, { url: 'https://example.com' });
    await test.organization.write(context => createWebhook(context, 'app_1', webhook));
    const { publicKey } = await test.organization.write(getOrCreateOrganizationSigningKey);
    const old = services.masterKeys.currentVersion;
    const progress: string[] = [];
    const rotation = await rotateMasterKey(services, (done, of) => progress.push(`${done}/${of}`));
    expect(rotation).toMatchObject({ version: old + 1, secrets: 4, organizations: progress.length });
    expect(await countSecretsUnderKey(services, old)).toBe(0);
    services.masterKeys.removeVersion(old);
    const revealed = await test.organization.write(context =>
      revealMemberPin(context, { parentId: member, id: pin.id }),
    );
    expect([revealed.pin, parseSealedKeyVersion(revealed.sealed)]).toEqual(['482913', old + 1]);
    const shown = await test.organization.write(context =>
      revealMagicLink(context, { parentId: member, id: link.id }, 'https://example.com'),
    );
    expect(shown.link).toBe(link.link);
    expect((await test.organization.write(getOrCreateOrganizationSigningKey)).publicKey).toBe(publicKey);
  });

  it('keeps reserved digits reserved and free digits free', async () => {
    const [first, second, third] = [await newMember(), await newMember(), await newMember()];
    await addPin(first, '482913');
    await addPin(second, '777777');
    await test.organization.write(context => deleteMember(context, second));
    await rotateMasterKey(test.database.services);
    expect(await captureApiError(addPin(third, '482913'))).toBe('invalid_request: pin');
    const found = await test.organization.write(context => lookUpReservedPins(context, ['4829', '777777', '7777']));
    expect([[...found.pins], [...found.prefixes]]).toEqual([[], ['4829']]);
  });
});
