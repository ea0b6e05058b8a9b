import { Icon } from '../../design/icon.tsx';
import { checkMarkIcon, crossMarkIcon, doorIcon, editIcon, faultIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { describeEvent, type EventTone, type ExpandedEvent, selectEventTone } from './describe-event.ts';

const toneIcons: Readonly<Record<EventTone, string>> = {
  granted: checkMarkIcon,
  denied: crossMarkIcon,
  alarm: faultIcon,
  state: doorIcon,
  change: editIcon,
};

const toneLevels: Readonly<Record<EventTone, string>> = {
  granted: 'ok',
  denied: 'error',
  alarm: 'warning',
  state: 'neutral',
  change: 'neutral',
};

/** The details show all. */
const MOST_LINES = 6;

interface EventItemProps {
  readonly event: ExpandedEvent;
  /** Shows the day too, outside of a list by day. */
  readonly hasDay?: boolean;
  /** What it changed, below the sentence. */
  readonly lines?: readonly string[];
  /** Opens the details. */
  readonly onSelect?: (event: ExpandedEvent) => void;
}

/** One event as a sentence with its time. */
export const EventListItem = ({ event, hasDay = false, lines = [], onSelect }: EventItemProps) => {
  const messages = useMessages();
  const time = useSiteTimeFormats(event.object.site_id ?? undefined);
  const tone = selectEventTone(event);
  const at = hasDay ? time.formatShort(event.occurred_at) : time.formatTime(event.occurred_at);
  const content = (
    <>
      <span class="status-icon" data-level={toneLevels[tone]} aria-hidden="true">
        <Icon shape={toneIcons[tone]} />
      </span>
      <span class="event-text">
        {describeEvent(event, messages)}
        {lines.slice(0, MOST_LINES).map(line => (
          <span key={line} class="event-line small">
            {line}
          </span>
        ))}
        {lines.length > MOST_LINES ? (
          <span class="event-line small">{messages.groups.andMore(lines.length - MOST_LINES)}</span>
        ) : null}
      </span>
      <time class="quiet small" dateTime={event.occurred_at}>
        {at}
      </time>
    </>
  );
  if (onSelect === undefined)
    return (
      <div class="event-item" data-tone={tone}>
        {content}
      </div>
    );
  return (
    <button type="button" class="event-item" data-tone={tone} onClick={() => onSelect(event)}>
      {content}
    </button>
  );
};
