import { instant } from '@lintel/access-core/instant';
import {
  compileSchedule,
  isInsideSchedule,
  nextScheduleBoundary,
  type WeeklyTimeRanges,
} from '@lintel/access-core/schedule';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { useEffect, useState } from 'preact/hooks';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useSites } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

const RELOAD_MS = 30_000;

interface SiteStateProps {
  readonly site: SiteResponse;
  readonly weekdays: WeeklyTimeRanges;
  readonly now: number;
}

const SiteState = ({ site, weekdays, now }: SiteStateProps) => {
  const { schedules: texts } = useMessages();
  const time = useSiteTimeFormats(site.id);
  const zone = resolveTimeZone(site.timezone);
  if (!zone.ok)
    return (
      <li class="check">
        <StatusIcon level="warning" />
        <div>{texts.noTimeZone(site.name)}</div>
      </li>
    );
  const schedule = compileSchedule(weekdays);
  const isInside = isInsideSchedule(schedule, zone.value, instant(now));
  const next = nextScheduleBoundary(schedule, zone.value, instant(now));
  const until = next === null ? null : time.formatWithin(new Date(next).toISOString());
  return (
    <li class="check">
      <StatusIcon level={isInside ? 'ok' : 'neutral'} />
      <div>
        {isInside ? texts.activeNow(site.name, until) : texts.inactiveNow(site.name, until)}
        <small class="quiet">{site.timezone}</small>
      </div>
    </li>
  );
};

/** Whether the schedule is active at each site now, and when that changes. */
export const ScheduleStatusNow = ({ weekdays }: { readonly weekdays: WeeklyTimeRanges }) => {
  const { data: sites = [] } = useSites();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), RELOAD_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <ul class="checks">
      {sites.map(site => (
        <SiteState key={site.id} site={site} weekdays={weekdays} now={now} />
      ))}
    </ul>
  );
};
