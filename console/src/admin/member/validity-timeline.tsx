import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { computeValidityTimelinePosition } from './validity-timeline-position.ts';

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
