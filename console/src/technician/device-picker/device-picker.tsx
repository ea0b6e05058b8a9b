import { useEffect, useState } from 'preact/hooks';
import { StatusIcon } from '../../components/status-icon.tsx';
import * as devicePickerMessages from '../messages/english/device-picker.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { parseTechnicianPassRequest } from '../pass/pass-request-urls.ts';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { SiteClaimTicketPanel, OfflineCredentialsPanel } from './claim-tickets-and-local-pages.tsx';
import { TechnicianPassRequestPanel } from './confirm-pass-request-panel.tsx';
import {
  type OrganizationWithSites,
  loadOrganizationsWithSites,
  type SiteWithControllers,
} from './load-organizations-with-sites.ts';

const SiteCard = ({ organization, site }: { readonly organization: string; readonly site: SiteWithControllers }) => {
  /** The device to replace, or a new one. */
  const [claiming, setClaiming] = useState<{ readonly device: string | null } | null>(null);
  const unclaimed = site.devices.filter(({ id }) => !site.controllers.some(({ device_id }) => device_id === id));
  const toggle = (device: string | null): void => setClaiming(claiming?.device === device ? null : { device });
  const ticket = (device: string | null) =>
    claiming?.device === device ? (
      <SiteClaimTicketPanel organization={organization} site={site.id} device={device} />
    ) : null;
  return (
    <section class="card panel" aria-label={site.name}>
      <h2>{site.name}</h2>
      {site.controllers.length === 0 ? <p class="quiet">{devicePickerMessages.noControllersText}</p> : null}
      <ul class="steps">
        {site.controllers.map(({ device_id, name, online, local_name }) => (
          <li key={device_id}>
            <a href={`/technician/devices/${device_id}`}>
              <StatusIcon level={online ? 'ok' : 'neutral'} />
              <span>
                {name}{' '}
                <small class="quiet">
                  {[local_name, online ? devicePickerMessages.onlineStatusText : devicePickerMessages.offlineStatusText]
                    .filter(one => one !== null)
                    .join(', ')}
                </small>
              </span>
            </a>
            <Button
              variant="plain"
              label={devicePickerMessages.replaceControllerLabel(name)}
              onPress={() => toggle(device_id)}
            >
              {devicePickerMessages.replaceControllerButton}
            </Button>
            {ticket(device_id)}
          </li>
        ))}
      </ul>
      {unclaimed.length === 0 ? null : (
        <ul class="steps">
          {unclaimed.map(({ id, name }) => (
            <li key={id}>
              <span>
                {name} <small class="quiet">{devicePickerMessages.notClaimedText}</small>
              </span>
              <Button variant="plain" label={devicePickerMessages.claimDeviceLabel(name)} onPress={() => toggle(id)}>
                {devicePickerMessages.claimDeviceButton}
              </Button>
              {ticket(id)}
            </li>
          ))}
        </ul>
      )}
      <Button variant="primary" icon={icons.addIcon} onPress={() => toggle(null)}>
        {devicePickerMessages.addControllerButton}
      </Button>
      {ticket(null)}
      <OfflineCredentialsPanel site={site} />
    </section>
  );
};

/** The controllers of the bridge, and credentials for work without internet. */
export const DevicePicker = () => {
  const [organizations, setOrganizations] = useState<readonly OrganizationWithSites[] | string | null>(null);
  const [passRequest, setPassRequest] = useState(() => parseTechnicianPassRequest(location.search));
  const cancelPassRequest = (): void => {
    history.replaceState(null, '', location.pathname);
    setPassRequest(null);
  };
  useEffect(() => void loadOrganizationsWithSites().then(setOrganizations), []);
  if (organizations === null || typeof organizations === 'string')
    return <p class="quiet">{organizations ?? shellMessages.loadingInProgressText}</p>;
  return (
    <>
      {passRequest === null ? null : (
        <TechnicianPassRequestPanel request={passRequest} organizations={organizations} onCancel={cancelPassRequest} />
      )}
      <h1>{devicePickerMessages.controllersHeading}</h1>
      {organizations.every(({ sites }) => sites.length === 0) ? (
        <p class="quiet">{devicePickerMessages.noSitesText}</p>
      ) : null}
      {organizations.map(({ id, name, sites }) => (
        <div key={id} class="column">
          {organizations.length > 1 ? <p class="quiet">{name}</p> : null}
          {sites.map(site => (
            <SiteCard key={site.id} organization={id} site={site} />
          ))}
        </div>
      ))}
    </>
  );
};
