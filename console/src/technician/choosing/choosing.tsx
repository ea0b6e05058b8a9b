import type { TechnicianDeviceAnswer } from '@lintel/wire-protocol/admin/technician-device';
import { useEffect, useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { failureWords } from '../frame/failure-words.ts';
import { StateMark } from '../frame/state-mark.tsx';
import { useOrder } from '../frame/use-order.ts';
import { useNotify, visit } from '../link/use-visit.ts';
import * as choosingWords from '../words/english/choosing-words.ts';
import * as frameWords from '../words/english/frame-words.ts';

interface ListPage<T> {
  readonly data: readonly T[];
  readonly has_next: boolean;
  readonly cursor_next: string | null;
}
interface House {
  readonly id: string;
  readonly name: string;
  readonly devices: readonly TechnicianDeviceAnswer[];
}

/** All of a list, page by page. Null when it may not be seen. */
const readAll = async <T,>(path: string): Promise<readonly T[] | string> => {
  const all: T[] = [];
  for (let cursor = ''; ; ) {
    const answer = await visit.ask<ListPage<T>>({ method: 'GET', path: `${path}?limit=100${cursor}` });
    if (!answer.ok) return failureWords(answer.failure);
    all.push(...answer.value.data);
    if (!answer.value.has_next || answer.value.cursor_next === null) return all;
    cursor = `&cursor=${encodeURIComponent(answer.value.cursor_next)}`;
  }
};

const readHouses = async (): Promise<readonly House[] | string> => {
  const organizations = await readAll<{ readonly id: string; readonly name: string }>('/organizations');
  if (typeof organizations === 'string') return organizations;
  const houses: House[] = [];
  for (const { id, name } of organizations) {
    const devices = await readAll<TechnicianDeviceAnswer>(`/organizations/${id}/technician_devices`);
    // A house in which one may only look has nothing to work on.
    if (typeof devices !== 'string') houses.push({ id, name, devices });
  }
  return houses;
};

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

interface SiteProps {
  readonly organization: string;
  readonly devices: readonly TechnicianDeviceAnswer[];
}

/** What to take along to where there is no line. */
const ForTheVisit = ({ organization, devices }: SiteProps) => {
  const { order, isBusy } = useOrder();
  const [pass, setPass] = useState<string | null>(null);
  const [ticket, setTicket] = useState<string | null>(null);
  const site_id = devices[0]!.site_id;
  const path = `/organizations/${organization}`;
  const fetchPass = async (): Promise<void> => {
    const made = await order<{ pass: string }>({
      method: 'POST',
      path: `${path}/technician_passes`,
      body: { site_id },
    });
    if (made !== null) setPass(made.pass);
  };
  const fetchTicket = async (): Promise<void> => {
    const body = { site_id, expires_in: 7 * 86_400 };
    const made = await order<{ ticket: string }>({ method: 'POST', path: `${path}/claim_tickets`, body });
    if (made !== null) setTicket(made.ticket);
  };
  return (
    <details>
      <summary>{choosingWords.visit}</summary>
      <p class="quiet">{choosingWords.visitHint}</p>
      <div class="bar">
        <Press isOff={isBusy} press={() => void fetchPass()}>
          {choosingWords.pass}
        </Press>
        <Press isOff={isBusy} press={() => void fetchTicket()}>
          {choosingWords.ticket}
        </Press>
      </div>
      {pass === null ? null : (
        <>
          <Carried label={choosingWords.pass} text={pass} />
          <ul>
            {devices
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
      {ticket === null ? null : <Carried label={choosingWords.ticket} text={ticket} />}
    </details>
  );
};

const Site = ({ organization, devices }: SiteProps) => (
  <section class="card panel" aria-label={devices[0]!.site_name}>
    <h2>{devices[0]!.site_name}</h2>
    <ul class="steps">
      {devices.map(({ device_id, name, online, local_name }) => (
        <li key={device_id}>
          <a href={`/technician/devices/${device_id}`}>
            <StateMark mood={online ? 'good' : 'quiet'} />
            <span>
              {name}{' '}
              <small class="quiet">
                {[local_name, online ? choosingWords.online : choosingWords.offline]
                  .filter(one => one !== null)
                  .join(', ')}
              </small>
            </span>
          </a>
        </li>
      ))}
    </ul>
    <ForTheVisit organization={organization} devices={devices} />
  </section>
);

/** At the bridge: which controller, and what to take along. */
export const Choosing = () => {
  const [houses, setHouses] = useState<readonly House[] | string | null>(null);
  useEffect(() => void readHouses().then(setHouses), []);
  if (houses === null || typeof houses === 'string') return <p class="quiet">{houses ?? frameWords.loading}</p>;
  return (
    <>
      <h1>{choosingWords.heading}</h1>
      {houses.every(({ devices }) => devices.length === 0) ? <p class="quiet">{choosingWords.none}</p> : null}
      {houses.map(({ id, name, devices }) => (
        <div key={id} class="column">
          {houses.length > 1 ? <p class="quiet">{name}</p> : null}
          {[...Map.groupBy(devices, ({ site_id }) => site_id).values()].map(some => (
            <Site key={some[0]!.site_id} organization={id} devices={some} />
          ))}
        </div>
      ))}
    </>
  );
};
