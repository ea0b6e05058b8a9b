import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useState } from 'preact/hooks';
import { doorIcon } from '../../design/icons.ts';
import { useDevices, useGadgets, useSites } from '../api/resources.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { matchesSearch } from '../components/matches-search.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useMessages } from '../messages/language.ts';
import { DoorCard } from './door-card.tsx';

/** Doors by site, with their state and actions. */
const DoorsBySite = ({ doors }: { readonly doors: readonly GadgetResponse[] }) => {
  const sites = useSites();
  const devices = useDevices();
  const shown = (sites.data ?? []).filter(({ id }) => doors.some(({ site_id }) => site_id === id));
  return (
    <>
      {shown.map(site => (
        <section key={site.id} class="section" aria-label={site.name}>
          <h2>{site.name}</h2>
          <ul class="door-grid">
            {doors
              .filter(({ site_id }) => site_id === site.id)
              .map(door => (
                <DoorCard key={door.id} door={door} device={devices.data?.find(({ id }) => id === door.device_id)} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
};

export const DoorsScreen = () => {
  const { doors: texts } = useMessages();
  const gadgets = useGadgets();
  const devices = useDevices();
  const [filter, setFilter] = useState('');
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle(gadgets.data?.length ?? 0, devices.data?.length ?? 0)} />
      <QueryContent query={gadgets}>
        {all => {
          if (all.length === 0) return <EmptyState icon={doorIcon} title={texts.emptyTitle} text={texts.emptyText} />;
          const found = all.filter(({ name }) => matchesSearch(name, filter));
          return (
            <>
              <input
                type="search"
                class="filter"
                aria-label={texts.filter}
                placeholder={texts.filter}
                value={filter}
                onInput={event => setFilter(event.currentTarget.value)}
              />
              {found.length === 0 ? <p class="quiet">{texts.noMatch}</p> : <DoorsBySite doors={found} />}
            </>
          );
        }}
      </QueryContent>
    </>
  );
};
