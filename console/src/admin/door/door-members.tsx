import type { GadgetMemberResponse } from '@lintel/wire-protocol/admin/effective-access';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList, usePagedApiList } from '../api/resource-hooks.ts';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { describeGadgetActionGrant } from '../access/describe-access-by-door.ts';
import { useLanguage, useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { ExplainAccessButton } from '../access-explanation/explain-access-button.tsx';
import { ExplainPersonAccessButton } from './explain-person-access-button.tsx';
import { isGrantedNow } from './is-granted-now.ts';

const PAGE_SIZE = 20;

interface DoorMemberProps {
  readonly door: GadgetResponse;
  readonly member: GadgetMemberResponse;
  readonly schedules: readonly ScheduleResponse[];
}

const DoorMember = ({ door, member, schedules }: DoorMemberProps) => {
  const { messages, locale } = useLanguage();
  const { formatWithin: formatTime, zone, isZoneKnown } = useSiteTimeFormats(door.site_id);
  const linkTo = useLinkTo();
  const name = member.name === '' ? messages.members.unnamed : member.name;
  const isNow =
    isZoneKnown &&
    member.access.some(({ grants }) => grants.some(grant => isGrantedNow(grant, { now: Date.now(), zone, schedules })));
  // Actions with the same grants share a line: `Open, Hold open: any time, any credential`.
  const grants = member.access.flatMap(({ action_id, grants: ofAction }) =>
    ofAction.map(grant => ({
      action: door.actions.find(({ id }) => id === action_id)?.name ?? action_id,
      text: describeGadgetActionGrant(grant, { messages, locale, schedules, formatTime }),
    })),
  );
  const sentences = [...Map.groupBy(grants, ({ text }) => text)].map(([text, same]) => {
    const actions = [...new Set(same.map(({ action }) => action))];
    return door.actions.length > 1 ? `${actions.join(', ')}: ${text}` : text;
  });
  return (
    <li>
      <span>
        <a href={linkTo(`/members/${member.member_id}`)}>{name}</a>{' '}
        <StatusBadge level={isNow ? 'ok' : 'neutral'} text={isNow ? messages.door.now : messages.door.notNow} />
        {sentences.map(sentence => (
          <small key={sentence} class="quiet">
            {sentence}
          </small>
        ))}
      </span>
      <ExplainAccessButton
        question={{ memberId: member.member_id, memberName: name, gadgetId: door.id }}
        accessibleLabel={messages.door.whyLabel(name)}
      />
    </li>
  );
};

/** Who may open the door now or later, with methods and schedule. */
export const DoorMemberList = ({ door }: { readonly door: GadgetResponse }) => {
  const { door: texts } = useMessages();
  const { allows } = useCurrentOrganization();
  const { data: schedules = [] } = useApiList<ScheduleResponse>('schedule', '/schedules', {}, allows('schedules.read'));
  const list = usePagedApiList<GadgetMemberResponse>('member', `/gadgets/${door.id}/members`, { limit: PAGE_SIZE });
  return (
    <section class="card panel" aria-labelledby="door-members">
      <div class="title-line">
        <h2 id="door-members">{texts.members}</h2>
        <ExplainPersonAccessButton door={door} />
      </div>
      {list.isError ? <ErrorNotice error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.data === undefined && !list.isError ? <LoadingIndicator /> : null}
      {list.data !== undefined && list.items.length === 0 && !list.hasNextPage ? (
        <p class="quiet">{texts.noMembers}</p>
      ) : null}
      <ul class="entry-list">
        {list.items.map(member => (
          <DoorMember key={member.member_id} {...{ door, member, schedules }} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {texts.moreMembers}
        </Button>
      ) : null}
    </section>
  );
};
