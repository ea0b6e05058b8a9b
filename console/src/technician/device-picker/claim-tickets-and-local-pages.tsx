import * as icons from '../../design/icons.ts';
import * as devicePickerMessages from '../messages/english/device-picker.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { parseUnverifiedClaimTicket } from '../claim/claim-input.ts';
import { FormField } from '../../components/form-field.tsx';
import { buildTechnicianPassSignInUrl } from '../pass/pass-request-urls.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { useNotify } from '../state/notice-context.ts';
import type { SiteWithControllers } from './load-organizations-with-sites.ts';

const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notify(devicePickerMessages.copiedNotice);
  };
  return (
    <div class="copyable">
      <code>{text}</code>
      <Button icon={icons.copyIcon} label={`${label}: ${devicePickerMessages.copyButton}`} onPress={() => void copy()}>
        {devicePickerMessages.copyButton}
      </Button>
    </div>
  );
};

interface Ticket {
  readonly ticket: string;
  readonly code: string;
}

interface OfflineAccessProps {
  readonly organization: string;
  readonly site: SiteWithControllers;
}

const ClaimTicketForm = ({ organization, site }: OfflineAccessProps) => {
  const { run, isBusy } = useApiAction();
  const [device, setDevice] = useState('');
  const [ticket, setTicket] = useState<Ticket | null>(null);
  const createTicket = async (): Promise<void> => {
    const body = { site_id: site.id, ...(device === '' ? {} : { device_id: device }) };
    const path = `/organizations/${organization}/claim_tickets`;
    setTicket(await run<Ticket>({ method: 'POST', path, body }));
  };
  return (
    <>
      <FormField id={`for-${site.id}`} label={devicePickerMessages.ticketTargetLabel}>
        {described => (
          <select
            {...described}
            value={device}
            onChange={event => {
              setTicket(null);
              setDevice(event.currentTarget.value);
            }}
          >
            <option value="">{devicePickerMessages.ticketForNewDeviceText}</option>
            {site.devices.map(({ id, name }) => (
              <option key={id} value={id}>
                {devicePickerMessages.ticketForReplacementText(name)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <Button isDisabled={isBusy} onPress={() => void createTicket()}>
        {devicePickerMessages.createTicketButton}
      </Button>
      {ticket === null ? null : (
        <>
          <CopyableText label={devicePickerMessages.claimTicketHeading} text={ticket.ticket} />
          <p class="quiet">
            {devicePickerMessages.claimCodeHint(parseUnverifiedClaimTicket(ticket.ticket)?.bridge_url ?? '')}
          </p>
          <p class="big-code">{ticket.code}</p>
        </>
      )}
    </>
  );
};

const LocalPages = ({ site }: Pick<OfflineAccessProps, 'site'>) => (
  <ul>
    {site.controllers.flatMap(({ device_id, name, local_address, local_url }) => {
      // The address also works where multicast DNS does not.
      const url = local_address ?? local_url;
      return url === null ? (
        []
      ) : (
        <li key={device_id}>
          <a href={buildTechnicianPassSignInUrl(url)} target="_blank" rel="noreferrer">
            {devicePickerMessages.openLocalTechnicianPageLink(name)}
          </a>
        </li>
      );
    })}
  </ul>
);

export const OfflineCredentialsPanel = (props: OfflineAccessProps) => (
  <details>
    <summary>{devicePickerMessages.offlineAccessHeading}</summary>
    <div class="form">
      <p class="quiet">{devicePickerMessages.offlineAccessHint}</p>
      <LocalPages site={props.site} />
      <ClaimTicketForm {...props} />
    </div>
  </details>
);
