import { useEventStreamLostAt } from '../api/live-events.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

/** A component of its own, so that the shell needs no sites as long as there is a connection. */
const LostConnection = ({ lostAt }: { readonly lostAt: string }) => {
  const { shell } = useMessages();
  const { formatTime } = useSiteTimeFormats();
  return <>{shell.reconnecting(formatTime(lostAt))}</>;
};

/** Says since when the page does not update by itself. */
export const EventStreamInterruptedNotice = () => {
  const lostAt = useEventStreamLostAt();
  return (
    <p class="connection-status" role="status">
      {lostAt === null ? null : <LostConnection lostAt={lostAt} />}
    </p>
  );
};
