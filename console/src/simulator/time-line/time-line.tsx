import type { Happening } from '@lintel/wire-protocol/simulator/happening';
import { useState } from 'preact/hooks';
import { Segments } from '../../design/controls.tsx';
import { useWallClock } from '../live/wall-clock.ts';
import { HappeningRow } from './happening-row.tsx';

const MOST_ROWS = 60;
const views = [
  { value: 'decisions', label: 'Decisions' },
  { value: 'everything', label: 'Everything' },
] as const;
type View = (typeof views)[number]['value'];

const isShown = (view: View) => (happening: Happening) =>
  view === 'everything' || !['state', 'other'].includes(happening.kind);

/** What was decided, where and why, and how far the word of it has come. */
export const TimeLine = ({ happenings }: { readonly happenings: readonly Happening[] }) => {
  const [view, setView] = useState<View>('decisions');
  const clock = useWallClock();
  const rows = happenings.filter(isShown(view)).slice(0, MOST_ROWS);
  // In the order of their ids, so that no row is ever moved in the document.
  const inOrder = rows.map((happening, place) => ({ happening, place }));
  inOrder.sort((a, b) => (a.happening.id < b.happening.id ? -1 : 1));
  return (
    <section class="time-line card" aria-label="Time line">
      <header>
        <h2>Time line</h2>
        <Segments name="time-line" legend="What the time line shows" chosen={view} options={views} choose={setView} />
      </header>
      <div class="rows" tabIndex={0} role="region" aria-label="What happened, the newest on top">
        {rows.length === 0 ? <p class="nothing">Nothing yet. Type a PIN at a door.</p> : null}
        <ol style={{ '--rows': String(rows.length) }}>
          {inOrder.map(({ happening, place }) => (
            <HappeningRow key={happening.id} happening={happening} place={place} clock={clock} />
          ))}
        </ol>
      </div>
    </section>
  );
};
