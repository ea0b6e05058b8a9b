import { describeFault } from '@lintel/access-core/alerts/describe-alert';
import type { DeviceHealthResponse } from '@lintel/wire-protocol/admin/device-health-history';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { useApiObject } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import {
  type BatteryLevel,
  listBatteryLevels,
  listHealthProblemPeriods,
  toBatteryChartPoints,
} from './health-history.ts';

const MOST_PERIODS = 10;

interface BatteryChartProps {
  readonly levels: readonly BatteryLevel[];
  readonly siteId: string;
}

const BatteryChart = ({ levels, siteId }: BatteryChartProps) => {
  const { device: texts } = useMessages();
  const { formatShort } = useSiteTimeFormats(siteId);
  const [first, last] = [levels[0], levels.at(-1)];
  if (first === undefined || last === undefined) return null;
  const lowest = levels.reduce((least, level) => (level.percent < least.percent ? level : least));
  const timeOf = ({ at }: BatteryLevel): string => formatShort(new Date(at).toISOString());
  return (
    <>
      <p>{texts.batterySummary(Math.round(last.percent), Math.round(lowest.percent), timeOf(lowest))}</p>
      <svg class="battery-chart" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={toBatteryChartPoints(levels, Date.now())} vector-effect="non-scaling-stroke" />
      </svg>
      <p class="title-line quiet small">
        <span>{timeOf(first)}</span>
        <span>{texts.now}</span>
      </p>
    </>
  );
};

/** Faults, power failures and the battery of the last 30 days. */
export const HealthHistoryPanel = ({ device }: { readonly device: DeviceResponse }) => {
  const { device: texts, alerts } = useMessages();
  const { formatShort, formatWithin } = useSiteTimeFormats(device.site_id);
  const health = useApiObject<DeviceHealthResponse>('device', `/devices/${device.id}/health`);
  return (
    <section class="card panel" aria-labelledby="device-health">
      <h2 id="device-health">{texts.health}</h2>
      <QueryContent query={health}>
        {({ records }) => {
          const periods = listHealthProblemPeriods(records).slice(0, MOST_PERIODS);
          return (
            <>
              <BatteryChart levels={listBatteryLevels(records)} siteId={device.site_id} />
              {periods.length === 0 ? <p class="quiet">{texts.healthEmpty}</p> : null}
              <ul class="entry-list">
                {periods.map(({ fault, from, until }) => (
                  <li key={`${fault ?? ''}-${from}`}>
                    <span>
                      {fault === null ? texts.powerFailure : (describeFault(alerts.texts, fault, device.name) ?? fault)}
                      <span class="quiet small health-period">
                        {until === null
                          ? texts.lastsSince(formatWithin(from))
                          : texts.lastedUntil(formatShort(from), formatShort(until))}
                      </span>
                    </span>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </QueryContent>
    </section>
  );
};
