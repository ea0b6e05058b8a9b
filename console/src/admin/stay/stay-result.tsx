import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useDevices, useGadgets } from '../api/resource-hooks.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { SecretValue } from '../components/secret-value.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { CredentialControllersStatus } from '../credentials/credential-controllers-status.tsx';
import { useMember, useMemberAccess, useMemberClockSite, useReloadMembers } from '../member/member-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import type { CreatedStay } from './create-stay.ts';
import { listPinEntries } from '@lintel/access-core/pin-entries';

/** From when the credentials work. Someone who has arrived early can be let in at once. */
const StayStart = ({ created }: { readonly created: MemberResponse }) => {
  const { stay } = useMessages();
  const { client } = useCurrentOrganization();
  const { isBusy, run } = useNotifiedAction();
  const reload = useReloadMembers();
  const { formatWithin } = useSiteTimeFormats(useMemberClockSite(created.id));
  const [startsAt, setStartsAt] = useState<string | null>(created.starts_at);
  if (startsAt === null || Date.parse(startsAt) <= Date.now())
    return <StatusBadge level="ok" text={stay.worksFromNow} />;
  const letInNow = (): Promise<void> =>
    run(async () => {
      const starts_at = new Date().toISOString();
      await client.patch(`/members/${created.id}`, { starts_at });
      setStartsAt(starts_at);
      await reload();
    });
  return (
    <div class="bar">
      <StatusBadge level="warning" text={stay.worksFrom(formatWithin(startsAt))} />
      <Button isDisabled={isBusy} onPress={() => void letInNow()}>
        {stay.letInNow}
      </Button>
    </div>
  );
};

interface PinEntryListProps {
  readonly memberId: string;
  readonly pin: string;
}

/** What to type at each door: some keypads serve several doors and need the code of the door before the PIN. */
const PinEntryList = ({ memberId, pin }: PinEntryListProps) => {
  const { stay } = useMessages();
  const { data: access } = useMemberAccess(memberId);
  const { data: devices = [] } = useDevices();
  const { data: doors = [] } = useGadgets();
  const entries = listPinEntries(access?.access ?? [], doors, devices);
  if (entries.length === 0) return null;
  return (
    <>
      <h3 id="pin-entries">{stay.whatToType}</h3>
      <ul aria-labelledby="pin-entries">
        {entries.map(({ door, code }) => (
          <li key={`${door.id} ${code}`}>
            {door.name}: <strong>{code === '' ? pin : stay.codeThenPin(code, pin)}</strong>
          </li>
        ))}
      </ul>
    </>
  );
};

interface StayResultProps {
  readonly created: CreatedStay;
  readonly onAnother: () => void;
}

/** What the guest needs to know: PIN and link, how to enter the PIN, and from when it works. */
export const StayResult = ({ created, onAnother }: StayResultProps) => {
  const messages = useMessages();
  const { stay } = messages;
  const linkTo = useLinkTo();
  const { pin, pinId, link, sentTo, isSendFailed, error } = created;
  // Let in at once, the member has another start.
  const member = useMember(created.member.id).data ?? created.member;
  return (
    <section class="card panel stay-result" aria-live="polite">
      <h2>{stay.createdTitle(member.name)}</h2>
      {error === null ? null : (
        <p class="wrong" role="alert">
          {stay.incomplete(describeAdminError(messages, error))}
        </p>
      )}
      {sentTo === null ? null : <p class="good">{stay.sentTo(sentTo)}</p>}
      {isSendFailed ? (
        <p class="wrong" role="alert">
          {stay.notSent}
        </p>
      ) : null}
      <StayStart created={created.member} />
      {pin === null ? null : <SecretValue label={stay.pinLabel} value={pin} />}
      {pinId === null ? null : (
        <CredentialControllersStatus member={member} credential={{ id: pinId, kind: 'member_pin' }} />
      )}
      {pin === null ? null : <PinEntryList memberId={member.id} pin={pin} />}
      {link === null ? null : <SecretValue label={stay.linkLabel} value={link} hasQrCode />}
      {(pin === null && link === null) || sentTo !== null ? null : <p class="quiet small">{stay.shownOnce}</p>}
      <div class="bar">
        <a class="button primary" href={linkTo(`/members/${member.id}`)}>
          {stay.openMember}
        </a>
        <Button onPress={onAnother}>{stay.another}</Button>
      </div>
    </section>
  );
};
