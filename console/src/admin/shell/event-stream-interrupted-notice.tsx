import { useIsEventStreamInterrupted } from '../api/live-events.tsx';
import { useMessages } from '../messages/language.ts';

/** Says that the page does not update by itself at the moment. */
export const EventStreamInterruptedNotice = () => {
  const { shell } = useMessages();
  return (
    <p class="connection-status" role="status">
      {useIsEventStreamInterrupted() ? shell.reconnecting : null}
    </p>
  );
};
