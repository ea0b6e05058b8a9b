import type { ActivityResponse } from '@lintel/wire-protocol/admin/activity';
import { useEffect, useRef } from 'preact/hooks';
import { useObject } from '../api/resources.ts';
import { QueryContent } from '../components/query-content.tsx';
import { useLanguage } from '../messages/language.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const RELOAD_MS = 60_000;

/** Whole hours, so that all requests of an hour share one entry of the cache. */
const lastDay = (now: number): { readonly from: string; readonly to: string } => {
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - DAY_MS).toISOString(), to: new Date(end).toISOString() };
};

const Chart = ({ activity }: { readonly activity: ActivityResponse }) => {
  const { messages, locale } = useLanguage();
  const { home } = messages;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | null = null;
    let isShown = true;
    const draw = async (): Promise<void> => {
      const { drawActivityChart } = await import('./draw-activity.ts');
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
      <p class="quiet">
        {home.last24Hours}: {home.chartSummary(activity.openings, activity.denials)}
      </p>
      <div ref={container} class="chart" aria-hidden="true" />
    </>
  );
};

/** Openings and denials of the last day. */
export const ActivityChart = () => {
  const { home } = useLanguage().messages;
  const query = { ...lastDay(Date.now()), bucket: 'hour' };
  const activity = useObject<ActivityResponse>('event', '/statistics/activity', query, true, RELOAD_MS);
  return (
    <section class="card panel" aria-labelledby="home-chart">
      <h2 id="home-chart">{home.chart}</h2>
      <QueryContent query={activity}>{data => <Chart activity={data} />}</QueryContent>
    </section>
  );
};
