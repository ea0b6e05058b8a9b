import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { type Fact, Facts } from '../components/facts.tsx';
import { useControllerData } from '../state/controller-data.ts';
import { StatusIcon } from '../components/status-icon.tsx';
import { useResource, session } from '../api/use-session.ts';
import { formatAge, formatDateTime } from '../messages/format-time.ts';
import * as shellMessages from '../messages/english/shell.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as reportMessages from '../messages/english/report.ts';
import { HealthList } from '../health/health-list.tsx';
import { InstallationSteps } from './installation-steps.tsx';

const HEALTH_POLL_MS = 8_000;

const HealthSummary = ({ health }: { readonly health: TechnicianHealth | null }) => {
  const count = (state: string): number => health?.checks.filter(check => check.state === state).length ?? 0;
  const title =
    health === null
      ? overviewMessages.unchecked
      : count('fail') > 0
        ? overviewMessages.failures(count('fail'))
        : count('warn') > 0
          ? overviewMessages.warnings(count('warn'))
          : overviewMessages.healthy;
  const level = health === null ? 'neutral' : count('fail') > 0 ? 'error' : count('warn') > 0 ? 'warning' : 'ok';
  return (
    <section class="card panel health-summary" data-level={level} aria-labelledby="health">
      <div class="status-heading">
        <StatusIcon level={level} />
        <h1 id="health">{title}</h1>
      </div>
      {health === null ? null : <HealthList checks={health.checks} />}
    </section>
  );
};

const bridgeText = ({ connected, online }: TechnicianStatus['upstream']): string => {
  if (online) return overviewMessages.online;
  return connected ? overviewMessages.gatewayOnly : overviewMessages.offline;
};

const Details = ({ status }: { readonly status: TechnicianStatus }) => {
  const { slice, clock } = status;
  const facts: readonly Fact[] = [
    ...(status.site_name === null ? [] : [[overviewMessages.site, status.site_name] as const]),
    [overviewMessages.bridge, bridgeText(status.upstream)],
    [
      overviewMessages.data,
      slice === null || slice.age_ms === null
        ? overviewMessages.noData
        : overviewMessages.dataAge(formatAge(slice.age_ms)),
    ],
    [overviewMessages.events, String(status.waiting_events)],
    [
      overviewMessages.time,
      `${formatDateTime(clock.time)}, ${clock.trusted ? overviewMessages.trusted(clock.source) : overviewMessages.untrusted}`,
    ],
    [reportMessages.address, `${status.name}.local`],
    [overviewMessages.firmware, `${status.product_id}, ${status.firmware}`],
    [overviewMessages.uptime, formatAge(status.uptime_ms)],
    [overviewMessages.keyStorage, overviewMessages.keyStoredIn[status.digest_key_kept_in]],
  ];
  return (
    <section class="card panel" aria-labelledby="details">
      <h2 id="details">{overviewMessages.details}</h2>
      <Facts facts={facts} />
      <p>
        <a class="button" href={`${session.endpoint.base}/support_bundle`} download>
          <Icon shape={icons.down} />
          {overviewMessages.bundle}
        </a>
      </p>
      <p class="quiet small">{overviewMessages.bundleHint}</p>
    </section>
  );
};

const Gadgets = ({ gadgets }: Pick<TechnicianStatus, 'gadgets'>) => (
  <section class="card panel" aria-labelledby="gadgets">
    <h2 id="gadgets">{overviewMessages.gadgets}</h2>
    {gadgets.length === 0 ? <p class="quiet">{overviewMessages.noGadgets}</p> : null}
    <ul class="gadgets">
      {gadgets.map(({ gadget_id, name, state_id }) => (
        <li key={gadget_id}>
          <Icon shape={icons.door} />
          <strong>{name}</strong>
          <span class="quiet">{state_id ?? ''}</span>
        </li>
      ))}
    </ul>
  </section>
);

export const Overview = () => {
  const { status } = useControllerData();
  const health = useResource<TechnicianHealth>('/health', HEALTH_POLL_MS);
  const isClaimable = !session.endpoint.isRemote && status.value?.claimed === false;
  const claim = useResource<TechnicianClaimState>(isClaimable ? '/claim' : null, HEALTH_POLL_MS);
  if (status.value === null) return <p class="quiet">{shellMessages.loading}</p>;
  return <OverviewContent status={status.value} health={health.value} claim={claim.value} />;
};

interface OverviewContentProps {
  readonly status: TechnicianStatus;
  readonly health: TechnicianHealth | null;
  readonly claim: TechnicianClaimState | null;
}

const OverviewContent = ({ status, health, claim }: OverviewContentProps) => {
  return (
    <div class="columns flowing">
      <HealthSummary health={health} />
      <InstallationSteps status={status} claim={claim} />
      <Gadgets gadgets={status.gadgets} />
      <Details status={status} />
    </div>
  );
};
