import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useGadgets, useApiList } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { computeMemberStatus } from '../members/member-status.ts';
import { useLanguage } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { describeAccessByDoor } from '../access/describe-access-by-door.ts';
import { useMemberAccess, useMemberClockSite } from './member-hooks.ts';

/** What the member can open, one plain sentence per door. */
export const MemberAccessPanel = ({ member }: { readonly member: MemberResponse }) => {
  const memberId = member.id;
  const { messages, locale } = useLanguage();
  const { allows } = useCurrentOrganization();
  const time = useSiteTimeFormats(useMemberClockSite(memberId));
  const { data: doors = [] } = useGadgets();
  const { data: schedules = [] } = useApiList<ScheduleResponse>('schedule', '/schedules', {}, allows('schedules.read'));
  const access = useMemberAccess(memberId);
  return (
    <section class="card panel" aria-labelledby="member-access">
      <h2 id="member-access">{messages.member.access}</h2>
      <QueryContent query={access}>
        {data => {
          const sentences = describeAccessByDoor(data.access, {
            messages,
            locale,
            doors,
            schedules,
            formatTime: time.formatShort,
          });
          if (sentences.length === 0) {
            const { accessEmpty, accessEnded, accessDeleted } = messages.member;
            const status = computeMemberStatus(member, Date.now());
            return (
              <p class="quiet">
                {status === 'deleted' ? accessDeleted : status === 'ended' ? accessEnded : accessEmpty}
              </p>
            );
          }
          return (
            <>
              <ul class="checks">
                {sentences.map(sentence => (
                  <li key={sentence} class="check">
                    <StatusIcon level="ok" />
                    <span>{sentence}</span>
                  </li>
                ))}
              </ul>
              <p class="quiet small">{time.zone}</p>
            </>
          );
        }}
      </QueryContent>
    </section>
  );
};
