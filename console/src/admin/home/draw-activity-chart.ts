import type { ActivityStatisticsResponse } from '@lintel/wire-protocol/admin/activity-statistics';
import UPlot from 'uplot';

const HEIGHT = 200;
const LABEL_WIDTH = 72;

interface ChartTexts {
  readonly openings: string;
  readonly denials: string;
  readonly locale: string;
}

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws bars per hour or day into the container, in its width. Returns a function that removes them. */
export const drawActivityChart = (
  container: HTMLElement,
  { bucket, buckets, timezone }: ActivityStatisticsResponse,
  { openings, denials, locale }: ChartTexts,
): (() => void) => {
  const axis = { stroke: colorOf('--quiet'), grid: { stroke: colorOf('--edge'), width: 1 }, ticks: { show: false } };
  const parts = bucket === 'day' ? ({ weekday: 'short' } as const) : ({ timeStyle: 'short' } as const);
  const formatTime = new Intl.DateTimeFormat(locale, { ...parts, timeZone: timezone });
  const times = buckets.map(({ starts_at }) => Date.parse(starts_at) / 1000);
  const bars = (align: -1 | 1) => UPlot.paths.bars?.({ size: [0.4, 24], align });
  const series = (label: string, color: string, align: -1 | 1): UPlot.Series => {
    const paths = bars(align);
    return {
      label,
      stroke: color,
      fill: color,
      points: { show: false },
      ...(paths === undefined ? {} : { paths }),
    };
  };
  const chart = new UPlot(
    {
      width: container.clientWidth,
      height: HEIGHT,
      // Half of the last label.
      padding: [8, LABEL_WIDTH / 2, 0, 0],
      cursor: { show: false },
      legend: { live: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(max, 4)] } },
      axes: [
        {
          ...axis,
          // Wide enough for `12:00 PM`.
          space: LABEL_WIDTH,
          // Days begin at midnight of the site.
          ...(bucket === 'day' ? { splits: () => times } : {}),
          values: (_, shown) => shown.map(time => formatTime.format(time * 1000)),
        },
        { ...axis, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
      ],
      series: [{}, series(openings, colorOf('--accent'), -1), series(denials, colorOf('--wrong'), 1)],
    },
    [times, buckets.map(one => one.openings), buckets.map(one => one.denials)],
    container,
  );
  const resize = new ResizeObserver(() => chart.setSize({ width: container.clientWidth, height: HEIGHT }));
  resize.observe(container);
  return () => {
    resize.disconnect();
    chart.destroy();
  };
};
