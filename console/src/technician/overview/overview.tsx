import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import type { TechnicianHealthResponse } from '@lintel/wire-protocol/technician/health';
import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { type LabeledValueEntry, LabeledValueList } from '../../components/labeled-value-list.tsx';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useObservableValue } from '../api/observable-value.ts';
import { useControllerResource, controllerSession } from '../api/controller-hooks.ts';
import { formatDuration, formatDateTime } from '../messages/format-time.ts';
import * as shellMessages from '../messages/english/shell.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as reportMessages from '../messages/english/handover-report.ts';
import { HealthCheckList } from '../health/health-check-list.tsx';
import { InstallationStepList } from './installation-steps.tsx';

const HEALTH_POLL_MS = 8_000;

const HealthSummary = ({ health }: { readonly health: TechnicianHealthResponse | null }) => {
  const count = (state: string): number => health?.checks.filter(check => check.state === state).length ?? 0;
  const title =
    health === null
      ? overviewMessages.checkInProgressText
      : count('fail') > 0
        ? overviewMessages.faultCountText(count('fail'))
        : count('warn') > 0
          ? overviewMessages.warningCountText(count('warn'))
          : overviewMessages.noIssuesFoundText;
  const level = health === null ? 'neutral' : count('fail') > 0 ? 'error' : count('warn') > 0 ? 'warning' : 'ok';
  return (
    <section class="card panel health-summary" data-level={level} aria-labelledby="health">
      <div class="status-heading">
        <StatusIcon level={level} />
        <h1 id="health">{title}</h1>
      </div>
      {health === null ? null : <HealthCheckList checks={health.checks} />}
    </section>
  );
};

const bridgeText = ({ claimed, faults, upstream: { connected, online } }: TechnicianStatusResponse): string => {
  if (!claimed) return overviewMessages.notClaimedText;
  if (faults.some(({ code }) => code === 'replaced')) return overviewMessages.controllerReplacedText;
  if (online) return overviewMessages.bridgeConnectedText;
  return connected ? overviewMessages.onlyGatewayConnectedText : overviewMessages.bridgeOfflineText;
};

const Details = ({ status }: { readonly status: TechnicianStatusResponse }) => {
  const linkState = useObservableValue(controllerSession.linkState);
  const { slice, clock } = status;
  const facts: readonly LabeledValueEntry[] = [
    ...(status.site_name === null ? [] : [[overviewMessages.siteLabel, status.site_name] as const]),
    [overviewMessages.bridgeLabel, bridgeText(status)],
    [
      overviewMessages.accessDataLabel,
      slice === null || slice.age_ms === null
        ? overviewMessages.noAccessDataYetText
        : overviewMessages.accessDataAgeText(formatDuration(slice.age_ms)),
    ],
    [overviewMessages.waitingEventsLabel, String(status.waiting_events)],
    [
      overviewMessages.clockLabel,
      `${formatDateTime(clock.time)}, ${clock.trusted ? overviewMessages.clockTrustedText(clock.source) : overviewMessages.clockNotTrustedText}`,
    ],
    [reportMessages.networkNameLabel, `${status.name}.local`],
    [overviewMessages.firmwareLabel, `${status.product_id}, ${status.firmware}`],
    [overviewMessages.uptimeLabel, formatDuration(status.uptime_ms)],
  ];
  return (
    <section class="card panel" aria-labelledby="details">
      <h2 id="details">{overviewMessages.detailsHeading}</h2>
      <LabeledValueList facts={facts} />
      {linkState === 'forbidden' ? (
        <p class="quiet small">{overviewMessages.supportBundleNotPermittedText}</p>
      ) : (
        <>
          <p>
            <a class="button" href={`${controllerSession.endpoint.base}/support_bundle`} download>
              <Icon shape={icons.downloadIcon} />
              {overviewMessages.downloadSupportBundleButton}
            </a>
          </p>
          <p class="quiet small">{overviewMessages.downloadSupportBundleHint}</p>
        </>
      )}
    </section>
  );
};

const Gadgets = ({ gadgets }: Pick<TechnicianStatusResponse, 'gadgets'>) => (
  <section class="card panel" aria-labelledby="gadgets">
    <h2 id="gadgets">{overviewMessages.gadgetsHeading}</h2>
    {gadgets.length === 0 ? <p class="quiet">{overviewMessages.noGadgetsYetText}</p> : null}
    <ul class="gadgets">
      {gadgets.map(({ gadget_id, name, state_id }) => (
        <li key={gadget_id}>
          <Icon shape={icons.doorIcon} />
          <strong>{name}</strong>
          <span class="quiet">{state_id ?? ''}</span>
        </li>
      ))}
    </ul>
  </section>
);

export const OverviewScreen = () => {
  const { status } = useSharedControllerData();
  const health = useControllerResource<TechnicianHealthResponse>('/health', HEALTH_POLL_MS);
  const isClaimable = !controllerSession.endpoint.isRemote && status.value?.claimed === false;
  const claim = useControllerResource<TechnicianClaimStateResponse>(isClaimable ? '/claim' : null, HEALTH_POLL_MS);
  if (status.value === null) return <p class="quiet">{shellMessages.loadingInProgressText}</p>;
  return <OverviewContent status={status.value} health={health.value} claim={claim.value} />;
};

interface OverviewContentProps {
  readonly status: TechnicianStatusResponse;
  readonly health: TechnicianHealthResponse | null;
  readonly claim: TechnicianClaimStateResponse | null;
}

const OverviewContent = ({ status, health, claim }: OverviewContentProps) => {
  return (
    <div class="columns flowing">
      <HealthSummary health={health} />
      <InstallationStepList status={status} claim={claim} />
      <Gadgets gadgets={status.gadgets} />
      <Details status={status} />
    </div>
  );
};
