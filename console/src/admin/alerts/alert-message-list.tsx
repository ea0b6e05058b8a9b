import type { AlertMessageResponse } from '@lintel/wire-protocol/admin/alert-rules-and-alerts';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import { useApiObject } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { describeAlertResponse } from './describe-alert.ts';

const levels: Readonly<Record<string, 'ok' | 'warning' | 'error'>> = {
  sent: 'ok',
  pending: 'warning',
  failed: 'error',
};
const SHOWN = 20;
/** Messages are sent without an event. */
export const ALERT_RELOAD_MS = 5000;

/** The newest messages and what became of them. */
export const AlertMessageList = () => {
  const { alerts } = useMessages();
  const time = useSiteTimeFormats();
  const messages = useApiObject<ListPageResponse<AlertMessageResponse>>(
    'alert',
    '/alert_messages',
    { limit: SHOWN },
    true,
    ALERT_RELOAD_MS,
  );
  return (
    <section class="card panel" aria-labelledby="alert-messages">
      <h2 id="alert-messages">{alerts.messages}</h2>
      <QueryContent query={messages}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{alerts.noMessages}</p>
          ) : (
            <ul class="entry-list">
              {data.map(message => (
                <li key={message.id}>
                  <span>
                    {alerts.headline(message.event, describeAlertResponse(alerts.texts, message))}
                    <small class="quiet">
                      {time.formatShort(message.created_at)} · {message.email ?? alerts.webhook}
                      {message.error === null ? '' : ` · ${message.error}`}
                    </small>
                  </span>
                  <StatusBadge
                    level={levels[message.status] ?? 'warning'}
                    text={alerts.statuses[message.status] ?? message.status}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  );
};
