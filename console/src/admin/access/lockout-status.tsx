import type {
  MemberGroupLockoutResponse,
  MemberLockout,
} from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useApiObject } from '../api/resource-hooks.ts';
import { CONFIRMATION_RELOAD_MS, useMemberCredentialDelivery } from '../credentials/use-member-credential-delivery.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

const MOST_NAMES = 8;

type LockoutDoor = MemberLockout['doors'][number];
type GroupDoor = MemberGroupLockoutResponse['doors'][number];

interface LockoutTextsProps {
  readonly lockout: MemberLockout;
  /** Access is reduced and not gone. */
  readonly isReduced?: boolean;
}

/** `Locked out at 6 of 6 doors, 8:58`, and the doors that still open with the reason. */
export const LockoutTexts = ({ lockout: { doors, opens_other_doors }, isReduced = false }: LockoutTextsProps) => {
  const { member: texts } = useMessages();
  const { formatTime } = useSiteTimeFormats(doors[0]?.site_id);
  const open = doors.filter(({ status }) => status === 'still_opens');
  const closed = doors.filter(({ status }) => status !== 'still_opens');
  const last = closed
    .flatMap(({ locked_out_at }) => locked_out_at ?? [])
    .toSorted()
    .at(-1);
  const time = last === undefined ? '' : formatTime(last);
  const describeClosed = (): string => {
    if (isReduced) return texts.reduced(closed.length, doors.length, time);
    if (opens_other_doors) return texts.lockedOutOf(closed.map(({ name }) => name).join(', '), time);
    return texts.lockedOut(closed.length, doors.length, time);
  };
  const describeOpen = ({ name, online, offline_since }: LockoutDoor): string => {
    const since = offline_since === null ? null : formatTime(offline_since);
    if (isReduced) return online ? texts.notReducedOnline(name) : texts.notReducedOffline(name, since);
    return online ? texts.stillOpensOnline(name) : texts.stillOpensOffline(name, since);
  };
  return (
    <>
      {closed.length === 0 ? null : (
        <p class="check">
          <StatusIcon level="ok" />
          <span>{describeClosed()}</span>
        </p>
      )}
      {open.map(door => (
        <p key={door.gadget_id} class="check">
          <StatusIcon level="error" />
          <strong>{describeOpen(door)}</strong>
        </p>
      ))}
      {open.some(({ online }) => !online) ? (
        <p class="quiet small">{isReduced ? texts.notReducedHint : texts.stillOpensHint}</p>
      ) : null}
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

/** The same number of people has lost these doors. */
const GroupDoorsLockout = ({ doors }: { readonly doors: readonly GroupDoor[] }) => {
  const { groups: texts } = useMessages();
  const { members_without: without, members_with_less: withLess } = doors[0]!;
  const shown = doors.slice(0, MOST_NAMES);
  const more = doors.length > shown.length ? ` ${texts.andMore(doors.length - shown.length)}` : '';
  const names = `${shown.map(({ name }) => name).join(', ')}${more}`;
  return (
    <>
      {without === 0 ? null : <p>{texts.cannotOpen(without, names)}</p>}
      {withLess === 0 ? null : <p>{texts.canOpenLess(withLess, names)}</p>}
      <LockoutTexts lockout={{ opens_other_doors: false, doors: [...doors] }} isReduced={without === 0} />
    </>
  );
};

/** What members of the group lost by edited or deleted rules and schedules, for a day, and the doors that still open. */
export const GroupLockoutPanel = ({
  groupId,
  groupName,
}: {
  readonly groupId: string;
  readonly groupName?: string;
}) => {
  const { member: texts } = useMessages();
  const path = `/member_groups/${groupId}/lockout`;
  const { data } = useApiObject<MemberGroupLockoutResponse>('member_group', path, {}, true, CONFIRMATION_RELOAD_MS);
  const doors = data?.doors ?? [];
  const sets = Map.groupBy(doors, door => `${door.members_without} ${door.members_with_less}`);
  return (
    <div role="status" hidden={doors.length === 0}>
      {doors.length === 0 ? null : (
        <section class="card panel" aria-labelledby={`lockout-${groupId}`}>
          <h2 id={`lockout-${groupId}`}>{groupName === undefined ? texts.lockout : texts.lockoutOfGroup(groupName)}</h2>
          {[...sets].map(([key, set]) => (
            <GroupDoorsLockout key={key} doors={set} />
          ))}
        </section>
      )}
    </div>
  );
};
