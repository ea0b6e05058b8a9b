import { Button } from '../../design/controls.tsx';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { EventListItem } from '../events/event-list-item.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { type AuditEntry, useChangeLines } from './use-change-lines.ts';

const PAGE = 10;

/** What was changed about an object, by whom, newest first, with the values before and after. */
export const HistoryPanel = ({ objectId }: { readonly objectId: string }) => {
  const { audit, activity } = useMessages();
  const { zone } = useSiteTimeFormats();
  const list = usePagedApiList<AuditEntry>('audit', '/audit', { object: objectId, limit: PAGE });
  const linesOf = useChangeLines();
  return (
    <section class="card" aria-labelledby="object-history">
      <div class="panel">
        <h2 id="object-history">{audit.history}</h2>
        <p class="quiet small">{activity.zone(zone)}</p>
      </div>
      <QueryContent query={list}>
        {() =>
          list.items.length === 0 ? (
            <p class="panel quiet">{audit.noHistory}</p>
          ) : (
            <ul class="event-list">
              {list.items.map(entry => (
                <li key={entry.id}>
                  <EventListItem event={entry} lines={linesOf(entry)} hasDay />
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      {list.hasNextPage ? (
        <div class="panel">
          <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {audit.more}
          </Button>
        </div>
      ) : null}
    </section>
  );
};
