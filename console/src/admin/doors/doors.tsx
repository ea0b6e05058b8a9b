import type { AttentionResponse } from '@lintel/wire-protocol/admin/attention-items';
import { SegmentedControl, Switch } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { addIcon, doorIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useDevices, useGadgets, useApiObject, useSites } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { SearchField } from '../components/search-field.tsx';
import { VirtualizedList } from '../components/virtualized-list.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo, useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { listDoorsScreenRows, type DoorsScreenFilter, type DoorsScreenRow } from './doors-screen-rows.ts';
import { DeviceListItem, DoorListItem } from './doors-screen-list-items.tsx';
import { AddSiteButton } from './sites/add-site.tsx';
import { DeletedSites } from './sites/deleted-sites.tsx';
import { SiteHeading } from './sites/site-heading.tsx';

const ROW_HEIGHT = 64;
/** Some causes, such as a controller that lacks a change, end without an event. */
const RELOAD_MS = 30_000;

/** The filter is part of the address. */
const usePlaceFilter = (): DoorsScreenFilter => {
  const [{ view, site, search, attention }] = useUrlQueryParameters();
  return {
    view: view === 'devices' ? 'devices' : 'doors',
    siteId: site ?? null,
    search: search ?? '',
    isAttentionOnly: attention === 'true',
  };
};

const PlaceFilters = ({ attentionCount }: { readonly attentionCount: number }) => {
  const { doors: texts } = useMessages();
  const { data: sites = [] } = useSites();
  const filter = usePlaceFilter();
  const [, setQuery] = useUrlQueryParameters();
  return (
    <div class="member-filters">
      <SearchField label={texts.filter} value={filter.search} onChange={value => setQuery({ search: value })} />
      <SegmentedControl
        name="view"
        legend={texts.view}
        value={filter.view}
        options={[
          { value: 'doors', label: texts.doorsView },
          { value: 'devices', label: texts.devicesView },
        ]}
        onChange={view => setQuery({ view: view === 'doors' ? null : view })}
      />
      {sites.length < 2 ? null : (
        <select
          aria-label={texts.site}
          value={filter.siteId ?? ''}
          onChange={event => setQuery({ site: event.currentTarget.value })}
        >
          <option value="">{texts.allSites}</option>
          {sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Switch isOn={filter.isAttentionOnly} onChange={isOn => setQuery({ attention: isOn ? true : null })}>
        {texts.needsAttention(attentionCount)}
      </Switch>
    </div>
  );
};

const Row = (row: DoorsScreenRow) => {
  if (row.kind === 'site') return <SiteHeading site={row.site} isEmpty={row.isEmpty} />;
  return row.kind === 'door' ? <DoorListItem {...row} /> : <DeviceListItem {...row} />;
};

/** Doors and controllers by site, with their live state. */
export const DoorsScreen = () => {
  const { doors: texts } = useMessages();
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const gadgets = useGadgets();
  const { data: devices = [] } = useDevices();
  const sites = useSites();
  const attention = useApiObject<AttentionResponse>('attention', '/attention', {}, allows('devices.read'), RELOAD_MS);
  const filter = usePlaceFilter();
  const places = {
    sites: sites.data ?? [],
    devices,
    doors: gadgets.data ?? [],
    attention: attention.data?.items ?? [],
  };
  const concerned = listDoorsScreenRows(places, { ...filter, isAttentionOnly: true }).filter(
    ({ kind }) => kind !== 'site',
  );
  const rows = listDoorsScreenRows(places, filter);
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle(places.doors.length, devices.length)}>
        {allows('sites.write') ? <AddSiteButton /> : null}
        {allows('claim_tickets.write') ? (
          <a class="button primary" href={linkTo('/devices/new')}>
            <Icon shape={addIcon} />
            {texts.addController}
          </a>
        ) : null}
      </PageHeader>
      <QueryContent query={sites}>
        {({ length }) =>
          length === 0 ? (
            <EmptyState icon={doorIcon} title={texts.noSiteTitle} text={texts.noSiteText} />
          ) : (
            <>
              <PlaceFilters attentionCount={concerned.length} />
              <QueryContent query={gadgets}>
                {() =>
                  rows.length === 0 ? (
                    <p class="quiet">{filter.isAttentionOnly ? texts.noAttention : texts.noMatch}</p>
                  ) : (
                    <VirtualizedList
                      label={texts.title}
                      items={rows}
                      keyOf={({ id }) => id}
                      estimatedHeight={ROW_HEIGHT}
                      onEndReached={() => undefined}
                    >
                      {row => <Row {...row} />}
                    </VirtualizedList>
                  )
                }
              </QueryContent>
            </>
          )
        }
      </QueryContent>
      <DeletedSites />
    </>
  );
};
