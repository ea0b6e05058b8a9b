import { useEffect, useState } from 'preact/hooks';
import { StateMark } from '../frame/state-mark.tsx';
import * as choosingWords from '../words/english/choosing-words.ts';
import * as frameWords from '../words/english/frame-words.ts';
import { ForTheVisit } from './for-the-visit.tsx';
import { type House, readHouses, type SiteOfHouse } from './houses.ts';

const Site = ({ organization, site }: { readonly organization: string; readonly site: SiteOfHouse }) => (
  <section class="card panel" aria-label={site.name}>
    <h2>{site.name}</h2>
    {site.controllers.length === 0 ? <p class="quiet">{choosingWords.none}</p> : null}
    <ul class="steps">
      {site.controllers.map(({ device_id, name, online, local_name }) => (
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
    <ForTheVisit organization={organization} site={site} />
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
      {houses.every(({ sites }) => sites.length === 0) ? <p class="quiet">{choosingWords.noSites}</p> : null}
      {houses.map(({ id, name, sites }) => (
        <div key={id} class="column">
          {houses.length > 1 ? <p class="quiet">{name}</p> : null}
          {sites.map(site => (
            <Site key={site.id} organization={id} site={site} />
          ))}
        </div>
      ))}
    </>
  );
};
