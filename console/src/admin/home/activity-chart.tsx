import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import type { ActivityStatisticsResponse } from '@lintel/wire-protocol/admin/activity-statistics';
import { useState } from 'preact/hooks';
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

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const MOST_LINES = 5;

/** The values of the horizontal lines. */
const linesUpTo = (largest: number): readonly number[] => {
  const step = STEPS.find(one => largest / one <= MOST_LINES) ?? largest / MOST_LINES;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step);
};

const HOURS_PER_LABEL = 4;

const Bars = ({ bucket, buckets, timezone }: ActivityStatisticsResponse) => {
  const { messages, locale } = useLanguage();
  const { home } = messages;
  const parts = bucket === 'day' ? ({ weekday: 'short' } as const) : ({ timeStyle: 'short' } as const);
  const formatTime = new Intl.DateTimeFormat(locale, { ...parts, timeZone: timezone });
  const lines = linesUpTo(Math.max(4, ...buckets.flatMap(one => [one.openings, one.denials])));
  const heightOf = (value: number): string => `${(100 * value) / lines.at(-1)!}%`;
  return (
    <div class="chart" aria-hidden="true">
      <div class="chart-area">
        {lines.map(value => (
          <div key={value} class="chart-line" style={{ bottom: heightOf(value) }}>
            {value}
          </div>
        ))}
        <div class="chart-bars">
          {buckets.map(({ starts_at, openings, denials }, index) => (
            <div key={starts_at} class="chart-bucket">
              <div class="chart-openings" style={{ height: heightOf(openings) }} />
              <div class="chart-denials" style={{ height: heightOf(denials) }} />
              {index % (bucket === 'day' ? 1 : HOURS_PER_LABEL) === 0 ? (
                <div class="chart-time">{formatTime.format(Date.parse(starts_at))}</div>
              ) : null}
            </div>
          ))}
        </div>
      </div>
      <div class="chart-legend">
        <span class="chart-key chart-openings" /> {home.openings}
        <span class="chart-key chart-denials" /> {home.denials}
      </div>
    </div>
  );
};

const Chart = ({ activity }: { readonly activity: ActivityStatisticsResponse }) => {
  const { home } = useLanguage().messages;
  return (
    <>
      <p class="quiet">{home.chartSummary(activity.openings, activity.denials)}</p>
      {activity.openings + activity.denials === 0 ? null : <Bars {...activity} />}
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
