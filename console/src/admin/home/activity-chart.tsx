import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import type { ActivityStatisticsResponse } from '@lintel/wire-protocol/admin/activity-statistics';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SegmentedControl } from '../../design/controls.tsx';
import { useApiObject } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { useLanguage } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { BusiestDoorsPanel } from './busiest-doors.tsx';

const RELOAD_MS = 60_000;

const chartPeriods = {
  day: { days: 1, bucket: 'hour' },
  week: { days: 7, bucket: 'day' },
} as const;
type ChartPeriod = keyof typeof chartPeriods;

/** Until the end of the hour, so that all requests of an hour share one entry of the cache. */
const queryOf = (period: ChartPeriod, now: number, timezone: string) => {
  const { days, bucket } = chartPeriods[period];
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - days * DAY_MS).toISOString(), to: new Date(end).toISOString(), bucket, timezone };
};

const Chart = ({ activity }: { readonly activity: ActivityStatisticsResponse }) => {
  const { messages, locale } = useLanguage();
  const { home } = messages;
  const isEmpty = activity.openings + activity.denials === 0;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | null = null;
    let isShown = true;
    const draw = async (): Promise<void> => {
      const { drawActivityChart } = await import('./draw-activity-chart.ts');
      if (!isShown || container.current === null) return;
      remove = drawActivityChart(container.current, activity, {
        openings: home.openings,
        denials: home.denials,
        locale,
      });
    };
    void draw();
    return () => {
      isShown = false;
      remove?.();
    };
  }, [activity, locale]);
  return (
    <>
      <p class="quiet">{home.chartSummary(activity.openings, activity.denials)}</p>
      {isEmpty ? null : <div ref={container} class="chart" aria-hidden="true" />}
      <BusiestDoorsPanel activity={activity} />
    </>
  );
};

/** Openings and denials of the last day or week. */
export const ActivityChart = () => {
  const { home } = useLanguage().messages;
  const { zone } = useSiteTimeFormats();
  const [period, setPeriod] = useState<ChartPeriod>('day');
  const query = queryOf(period, Date.now(), zone);
  const activity = useApiObject<ActivityStatisticsResponse>('event', '/statistics/activity', query, true, RELOAD_MS);
  return (
    <section class="card panel" aria-labelledby="home-chart">
      <h2 id="home-chart">{home.chart}</h2>
      <SegmentedControl
        name="chart-period"
        legend={home.chartPeriod}
        value={period}
        options={(['day', 'week'] as const).map(value => ({ value, label: home.chartPeriods[value] }))}
        onChange={setPeriod}
      />
      <QueryContent query={activity}>{data => <Chart activity={data} />}</QueryContent>
    </section>
  );
};
