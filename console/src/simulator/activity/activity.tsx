import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import { useState } from 'preact/hooks';
import { SegmentedControl } from '../../design/controls.tsx';
import { useSiteTimeFormatter } from '../api/site-time-formatter.ts';
import { ActivityRow } from './activity-row.tsx';

const MAX_ROWS = 60;
const filters = [
  { value: 'access', label: 'Access' },
  { value: 'all', label: 'All' },
] as const;
type Filter = (typeof filters)[number]['value'];

const isShown = (filter: Filter) => (event: SimulatorActivityEntry) =>
  filter === 'all' || !['state', 'other'].includes(event.kind);

/** The events, newest first, with their delivery to gateway, bridge and webhook. */
export const ActivityList = ({ events }: { readonly events: readonly SimulatorActivityEntry[] }) => {
  const [filter, setFilter] = useState<Filter>('access');
  const clock = useSiteTimeFormatter();
  const rows = events.filter(isShown(filter)).slice(0, MAX_ROWS);
  // Sorted by id, so that a new event moves no other row in the document.
  const inOrder = rows.map((event, position) => ({ event, position }));
  inOrder.sort((a, b) => (a.event.id < b.event.id ? -1 : 1));
  return (
    <section class="activity card" aria-label="Activity">
      <header>
        <h2>Activity</h2>
        <SegmentedControl name="activity" legend="Show" value={filter} options={filters} onChange={setFilter} />
      </header>
      <div class="rows" tabIndex={0} role="region" aria-label="Events, newest first">
        {rows.length === 0 ? <p class="empty">No events yet. Type a PIN at a door.</p> : null}
        <ol style={{ '--rows': String(rows.length) }}>
          {inOrder.map(({ event, position }) => (
            <ActivityRow key={event.id} event={event} position={position} clock={clock} />
          ))}
        </ol>
      </div>
    </section>
  );
};
