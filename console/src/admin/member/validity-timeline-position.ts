/** Positions on a line from 0 to 1. */
interface TimelinePosition {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

/** Space before and after the range, so that the present can be outside of it. */
const MARGIN = 0.2;

/** A missing bound reaches the end of the line. The present stays on the line, however far away the range is. */
export const computeValidityTimelinePosition = (
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
