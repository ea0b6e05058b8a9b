import { useEventStreamLostAt } from '../api/live-events.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

/** Says since when the page does not update by itself. */
export const EventStreamInterruptedNotice = () => {
  const { shell } = useMessages();
  const { formatTime } = useSiteTimeFormats();
  const lostAt = useEventStreamLostAt();
  return (
    <p class="connection-status" role="status">
      {lostAt === null ? null : shell.reconnecting(formatTime(lostAt))}
    </p>
  );
};
