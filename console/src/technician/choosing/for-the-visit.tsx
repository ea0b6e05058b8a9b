import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { glanceAtTicket } from '../claim/ticket-glance.ts';
import { Field } from '../frame/field.tsx';
import { useOrder } from '../frame/use-order.ts';
import { useNotify } from '../link/use-visit.ts';
import * as choosingWords from '../words/english/choosing-words.ts';
import type { SiteOfHouse } from './houses.ts';

const Carried = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notify(choosingWords.copied);
  };
  return (
    <div class="carried">
      <code>{text}</code>
      <Press icon={shapes.copy} label={`${label}: ${choosingWords.copy}`} press={() => void copy()}>
        {choosingWords.copy}
      </Press>
    </div>
  );
};

interface Ticket {
  readonly ticket: string;
  readonly code: string;
}

interface VisitProps {
  readonly organization: string;
  readonly site: SiteOfHouse;
}

const TicketToCarry = ({ organization, site }: VisitProps) => {
  const { order, isBusy } = useOrder();
  const [device, setDevice] = useState('');
  const [made, setMade] = useState<Ticket | null>(null);
  const fetchTicket = async (): Promise<void> => {
    const body = { site_id: site.id, ...(device === '' ? {} : { device_id: device }) };
    const path = `/organizations/${organization}/claim_tickets`;
    setMade(await order<Ticket>({ method: 'POST', path, body }));
  };
  return (
    <>
      <Field id={`for-${site.id}`} label={choosingWords.ticketFor}>
        {described => (
          <select
            {...described}
            value={device}
            onChange={event => {
              setMade(null);
              setDevice(event.currentTarget.value);
            }}
          >
            <option value="">{choosingWords.newDevice}</option>
            {site.devices.map(({ id, name }) => (
              <option key={id} value={id}>
                {choosingWords.replaces(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Press isOff={isBusy} press={() => void fetchTicket()}>
        {choosingWords.ticket}
      </Press>
      {made === null ? null : (
        <>
          <Carried label={choosingWords.ticket} text={made.ticket} />
          <p class="quiet">{choosingWords.code(glanceAtTicket(made.ticket)?.bridge_url ?? '')}</p>
          <p class="big-code">{made.code}</p>
        </>
      )}
    </>
  );
};

const PassToCarry = ({ organization, site }: VisitProps) => {
  const { order, isBusy } = useOrder();
  const [pass, setPass] = useState<string | null>(null);
  const fetchPass = async (): Promise<void> => {
    const path = `/organizations/${organization}/technician_passes`;
    const made = await order<{ pass: string }>({ method: 'POST', path, body: { site_id: site.id } });
    if (made !== null) setPass(made.pass);
  };
  return (
    <>
      <Press isOff={isBusy} press={() => void fetchPass()}>
        {choosingWords.pass}
      </Press>
      {pass === null ? null : (
        <>
          <Carried label={choosingWords.pass} text={pass} />
          <ul>
            {site.controllers
              .filter(({ local_url }) => local_url !== null)
              .map(({ device_id, name, local_url }) => (
                <li key={device_id}>
                  <a href={`${local_url}/#pass=${encodeURIComponent(pass)}`} target="_blank" rel="noreferrer">
                    {choosingWords.atDoor(name)}
                  </a>
                </li>
              ))}
          </ul>
        </>
      )}
    </>
  );
};

/** What to take along to where there is no line. */
export const ForTheVisit = (props: VisitProps) => (
  <details>
    <summary>{choosingWords.visit}</summary>
    <div class="form">
      <p class="quiet">{choosingWords.visitHint}</p>
      <PassToCarry {...props} />
      <TicketToCarry {...props} />
    </div>
  </details>
);
