import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { parseTicket } from '../claim/parse-ticket.ts';
import { Field } from '../components/field.tsx';
import { signInUrl } from '../pass/pass-request.ts';
import { useAction } from '../state/use-action.ts';
import { useNotify } from '../api/use-session.ts';
import * as devicePickerMessages from '../messages/english/device-picker.ts';
import type { Site } from './organizations.ts';

const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notify(devicePickerMessages.copied);
  };
  return (
    <div class="copyable">
      <code>{text}</code>
      <Button icon={icons.copy} label={`${label}: ${devicePickerMessages.copy}`} onPress={() => void copy()}>
        {devicePickerMessages.copy}
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
  readonly site: Site;
}

const ClaimTicketForm = ({ organization, site }: OfflineAccessProps) => {
  const { run, isBusy } = useAction();
  const [device, setDevice] = useState('');
  const [ticket, setTicket] = useState<Ticket | null>(null);
  const createTicket = async (): Promise<void> => {
    const body = { site_id: site.id, ...(device === '' ? {} : { device_id: device }) };
    const path = `/organizations/${organization}/claim_tickets`;
    setTicket(await run<Ticket>({ method: 'POST', path, body }));
  };
  return (
    <>
      <Field id={`for-${site.id}`} label={devicePickerMessages.ticketFor}>
        {described => (
          <select
            {...described}
            value={device}
            onChange={event => {
              setTicket(null);
              setDevice(event.currentTarget.value);
            }}
          >
            <option value="">{devicePickerMessages.newDevice}</option>
            {site.devices.map(({ id, name }) => (
              <option key={id} value={id}>
                {devicePickerMessages.replaces(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button isDisabled={isBusy} onPress={() => void createTicket()}>
        {devicePickerMessages.createTicket}
      </Button>
      {ticket === null ? null : (
        <>
          <CopyableText label={devicePickerMessages.ticket} text={ticket.ticket} />
          <p class="quiet">{devicePickerMessages.code(parseTicket(ticket.ticket)?.bridge_url ?? '')}</p>
          <p class="big-code">{ticket.code}</p>
        </>
      )}
    </>
  );
};

const LocalPages = ({ site }: Pick<OfflineAccessProps, 'site'>) => (
  <ul>
    {site.controllers.flatMap(({ device_id, name, local_url }) =>
      local_url === null ? (
        []
      ) : (
        <li key={device_id}>
          <a href={signInUrl(local_url)} target="_blank" rel="noreferrer">
            {devicePickerMessages.openLocally(name)}
          </a>
        </li>
      ),
    )}
  </ul>
);

export const OfflineAccess = (props: OfflineAccessProps) => (
  <details>
    <summary>{devicePickerMessages.offlineAccess}</summary>
    <div class="form">
      <p class="quiet">{devicePickerMessages.offlineHint}</p>
      <LocalPages site={props.site} />
      <ClaimTicketForm {...props} />
    </div>
  </details>
);
