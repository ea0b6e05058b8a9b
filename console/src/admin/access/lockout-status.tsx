import type { MemberLockout } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useMemberCredentialDelivery } from '../credentials/use-member-credential-delivery.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

interface LockoutTextsProps {
  readonly lockout: MemberLockout;
}

/** `Locked out at 6 of 6 doors, 8:58`, and the doors that still open with the reason. */
export const LockoutTexts = ({ lockout: { doors, opens_other_doors } }: LockoutTextsProps) => {
  const { member: texts } = useMessages();
  const { formatTime } = useSiteTimeFormats(doors[0]?.site_id);
  const open = doors.filter(({ status }) => status === 'still_opens');
  const closed = doors.filter(({ status }) => status !== 'still_opens');
  const last = closed
    .flatMap(({ locked_out_at }) => locked_out_at ?? [])
    .toSorted()
    .at(-1);
  const time = last === undefined ? '' : formatTime(last);
  const names = closed.map(({ name }) => name).join(', ');
  return (
    <>
      {closed.length === 0 ? null : (
        <p class="check">
          <StatusIcon level="ok" />
          <span>
            {opens_other_doors ? texts.lockedOutOf(names, time) : texts.lockedOut(closed.length, doors.length, time)}
          </span>
        </p>
      )}
      {open.map(({ gadget_id, name, online, offline_since }) => (
        <p key={gadget_id} class="check">
          <StatusIcon level="error" />
          <strong>
            {online
              ? texts.stillOpensOnline(name)
              : texts.stillOpensOffline(name, offline_since === null ? null : formatTime(offline_since))}
          </strong>
        </p>
      ))}
      {open.some(({ online }) => !online) ? <p class="quiet small">{texts.stillOpensHint}</p> : null}
    </>
  );
};

/** Where a member who has lost access is locked out, for a day, and which doors still open. */
export const LockoutPanel = ({ memberId }: { readonly memberId: string }) => {
  const { member: texts } = useMessages();
  const { data } = useMemberCredentialDelivery(memberId);
  const lockout = data?.lockout ?? null;
  return (
    <div role="status" hidden={lockout === null}>
      {lockout === null ? null : (
        <section class="card panel" aria-labelledby="member-lockout">
          <h2 id="member-lockout">{texts.lockout}</h2>
          <LockoutTexts lockout={lockout} />
        </section>
      )}
    </div>
  );
};
