import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

/** Positions on a line from 0 to 1. */
interface TimelinePosition {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

/** Space before and after the range, so that the present can be outside of it. */
const MARGIN = 0.2;

/** A missing bound reaches the end of the line. The present stays on the line, however far away the range is. */
const computeValidityTimelinePosition = (
  startsAt: string | null,
  endsAt: string | null,
  now: number,
): TimelinePosition => {
  const [from, until] = [startsAt, endsAt].map(time => (time === null ? null : Date.parse(time)));
  const start = from == null ? 0 : MARGIN;
  const end = until == null ? 1 : 1 - MARGIN;
  if (from != null && now < from) return { start, end, now: MARGIN / 2 };
  if (until != null && now >= until) return { start, end, now: 1 - MARGIN / 2 };
  if (from != null && until != null)
    return { start, end, now: start + ((now - from) / (until - from)) * (end - start) };
  return { start, end, now: 0.5 };
};

interface ValidityTimelineProps {
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly siteId: string | undefined;
}

/** The validity as a line with the present on it. */
export const ValidityTimeline = ({ startsAt, endsAt, siteId }: ValidityTimelineProps) => {
  const { member } = useMessages();
  const time = useSiteTimeFormats(siteId);
  const { start, end, now } = computeValidityTimelinePosition(startsAt, endsAt, Date.now());
  const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;
  return (
    <div class="timeline">
      <div class="timeline-line" aria-hidden="true">
        <span
          class="timeline-range"
          data-has-start={startsAt === null ? undefined : ''}
          data-has-end={endsAt === null ? undefined : ''}
          style={{ left: percent(start), right: percent(1 - end) }}
        />
        <span class="timeline-now" style={{ left: percent(now) }} title={member.now} />
      </div>
      <p class="timeline-labels">
        <span>{startsAt === null ? member.noStart : time.formatDateTime(startsAt)}</span>
        <span>{endsAt === null ? member.noEnd : time.formatDateTime(endsAt)}</span>
      </p>
      <p class="quiet small">{time.zone}</p>
    </div>
  );
};
