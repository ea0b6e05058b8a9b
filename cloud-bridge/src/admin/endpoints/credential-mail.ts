import { createCredentialMailRequestSchema } from '@lintel/wire-protocol/admin/credential-mail';
import { memberEmailResponseSchema } from '@lintel/wire-protocol/rest/member-email';
import { createTooManyAttemptsError } from '../../accounts/attempt-throttle.ts';
import { createSharedAttemptThrottle } from '../../accounts/shared-attempt-throttle.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { loadOrganizationWithoutMembers } from '../../devices/access-snapshot/organization-without-members.ts';
import { loadEffectiveAccess } from '../../devices/effective-access.ts';
import { ApiError, createNotFoundError, checkAll, createUnknownReferenceError } from '../../http/api-error.ts';
import { composeCredentialMail } from '../../mail/credential-mail.ts';
import { resourceTableMappings } from '../../queries/resource-table-mappings.ts';
import { revealMagicLink } from '../../resources/magic-links.ts';
import { requireActiveMemberCredential } from '../../resources/member-credentials.ts';
import { revealMemberPin } from '../../resources/member-pins.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { MemberRow } from '../../storage/schema.ts';
import { requireRow } from '../../transactions/row-operations.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

/** These are messages to strangers, so their number is limited. */
const FREE_MAILS_PER_MEMBER = 10;

/** The doors that the member can open, and the time zone of the first one. */
const findDoors = async ({ storage, clock }: BridgeServices, member: MemberRow) => {
  const structure = await loadOrganizationWithoutMembers(storage.reader, member.organization_id);
  const lookup = { db: storage.reader, engine: storage.engine, structure, now: clock() };
  const gadgets = [...structure.gadgets.values()];
  const { access = [] } = (await loadEffectiveAccess(lookup, [member], gadgets)).get(member.id) ?? {};
  const ids = new Set<string>(access.map(({ gadget_id }) => gadget_id));
  const doors = gadgets.filter(({ id }) => ids.has(id));
  const timeZone = structure.sites.get(doors[0]?.site_id ?? '')?.timezone ?? null;
  return { doors: doors.map(({ name }) => name), timeZone };
};

/** One error names all credentials that the member does not have. */
const revealEach = (
  field: string,
  ids: readonly string[],
  reveal: (id: string) => Promise<string>,
): Promise<readonly string[]> =>
  checkAll(
    ids.map((id, index) => async () => {
      try {
        return await reveal(id);
      } catch (error) {
        const isUnknown = error instanceof ApiError && error.type === 'not_found';
        throw isUnknown ? createUnknownReferenceError(`${field}.${index}`, id) : error;
      }
    }),
  );

/** Sends PINs and magic links to an address of their member. The events show who sent them, and to which address. */
export const createCredentialMailEndpoint = (services: BridgeServices): AdminEndpoint => {
  const { storage, clock, accountMailer, mailBudget, publicUrl } = services;
  const mails = createSharedAttemptThrottle(storage, 'credential_mail/member', FREE_MAILS_PER_MEMBER);
  return defineAdminEndpoint({
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/members/:member_id/emails/:member_email_id/send`,
    tag: 'Member emails',
    operationId: 'sendMemberCredentials',
    summary: 'Send PINs and magic links of a member to one of its email addresses',
    body: createCredentialMailRequestSchema,
    response: memberEmailResponseSchema,
    requiredPermission: 'members.write',
    errors: ['unavailable'],
    managesOwnTransaction: true,
    handle: async call => {
      const { member_id: memberId = '', member_email_id: id = '' } = call.params;
      const key = `${call.caller.organizationId} ${memberId}`;
      const waitMs = accountMailer.isEnabled ? await mails.registerAttempt(key, clock()) : 0;
      if (waitMs > 0) throw createTooManyAttemptsError(waitMs);
      if (accountMailer.isEnabled) await mailBudget.require('other', call.caller.organizationId);
      const { member, email, organization, pins, links } = await writeAsCaller(call, async context => {
        const found = await requireRow(context, 'members', 'member', memberId);
        if (found.is_deleted === 1) throw createNotFoundError('member', memberId);
        const address = await requireActiveMemberCredential(context, 'member_email', { parentId: memberId, id });
        const sent = { reason: 'sent_by_email', member_email_id: id } as const;
        const [pins, links] = await checkAll([
          () =>
            revealEach('member_pin_ids', call.body.member_pin_ids, async pinId => {
              const { pin } = await revealMemberPin(context, { parentId: memberId, id: pinId }, sent);
              return pin;
            }),
          () =>
            revealEach('member_magic_link_ids', call.body.member_magic_link_ids, async linkId => {
              const { link } = await revealMagicLink(context, { parentId: memberId, id: linkId }, publicUrl, sent);
              return link;
            }),
        ]);
        // Undoes the events of the reveal.
        if (!accountMailer.isEnabled)
          throw new ApiError('invalid_request', 'This bridge sends no email. Ask the operator to set --smtp-url');
        const { name } = await context.db
          .selectFrom('organizations')
          .select('name')
          .where('id', '=', context.organizationId)
          .executeTakeFirstOrThrow();
        return { member: found, email: address, organization: name, pins, links };
      });
      const mail = composeCredentialMail({
        to: email.email,
        language: member.language,
        memberName: member.name,
        organizationName: organization,
        pins,
        links,
        startsAt: member.starts_at,
        endsAt: member.ends_at,
        ...(await findDoors(services, member)),
      });
      try {
        await accountMailer.send(mail);
      } catch {
        // Without the reason, which can quote the message.
        throw new ApiError(
          'unavailable',
          'The mail server did not accept the message. Check the address and try again',
        );
      }
      return resourceTableMappings.member_email.toObjects([{ ...email }])[0]!;
    },
  });
};
