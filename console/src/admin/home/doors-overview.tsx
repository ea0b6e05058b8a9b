import { doorIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useDevices, useGadgets } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { DoorTile } from '../doors/door-tile.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

const MOST_DOORS = 8;

/** The first doors with their live state; the doors screen shows all. */
export const DoorsOverviewPanel = () => {
  const { home, doors: texts, start } = useMessages();
  const { allows } = useCurrentOrganization();
  const gadgets = useGadgets();
  const devices = useDevices();
  const linkTo = useLinkTo();
  return (
    <section class="section" aria-labelledby="home-doors">
      <h2 id="home-doors">{home.doors}</h2>
      <QueryContent query={gadgets}>
        {doors =>
          doors.length === 0 ? (
            <EmptyState icon={doorIcon} title={texts.emptyTitle} text={texts.emptyText}>
              {allows('devices.write') ? (
                <a class="button primary" href={linkTo('/start')}>
                  {start.continueSetup}
                </a>
              ) : null}
              {allows('claim_tickets.write') ? (
                <a class="button" href={linkTo('/devices/new')}>
                  {texts.addController}
                </a>
              ) : null}
            </EmptyState>
          ) : (
            <>
              <ul class="door-grid">
                {doors.slice(0, MOST_DOORS).map(door => (
                  <DoorTile key={door.id} door={door} device={devices.data?.find(({ id }) => id === door.device_id)} />
                ))}
              </ul>
              {doors.length > MOST_DOORS ? <a href={linkTo('/doors')}>{home.allDoors(doors.length)}</a> : null}
            </>
          )
        }
      </QueryContent>
    </section>
  );
};
