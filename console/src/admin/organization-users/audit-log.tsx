import type { OrganizationUserResponse } from '@lintel/wire-protocol/admin/organization-user';
import { listIcon } from '../../design/icons.ts';
import { EventsByDayList } from '../activity/events-by-day.tsx';
import { EVENT_EXPAND_NAMES } from '../api/event-expand-parameter.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList, usePagedApiList } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { PageHeader } from '../components/page-header.tsx';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { OrganizationUsersNavigation } from './organization-users-navigation.tsx';

/** What the users did, newest first. */
export const AuditLogScreen = () => {
  const { people } = useMessages();
  const { allows } = useCurrentOrganization();
  const [{ user = '' }, setQuery] = useUrlQueryParameters();
  const { data: users = [] } = useApiList<OrganizationUserResponse>('user', '/users', {}, allows('users.read'));
  const list = usePagedApiList<ExpandedEvent>('event', '/events', {
    ...(user === '' ? { 'subject.type': 'user' } : { 'subject.user_id': user }),
    expand: EVENT_EXPAND_NAMES,
  });
  return (
    <>
      <PageHeader title={people.title} subtitle={people.auditText} />
      <OrganizationUsersNavigation />
      <div class="activity-filters">
        <select
          aria-label={people.person}
          value={user}
          onChange={event => setQuery({ user: event.currentTarget.value })}
        >
          <option value="">{people.everyone}</option>
          {users.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {name || email}
            </option>
          ))}
        </select>
      </div>
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingIndicator />
      ) : list.items.length === 0 ? (
        <EmptyState icon={listIcon} title={people.noActions} text={people.noActionsText} />
      ) : (
        <EventsByDayList
          events={list.items}
          onEndReached={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
    </>
  );
};
