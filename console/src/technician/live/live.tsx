import { useMemo, useState } from 'preact/hooks';
import { Press, Segments } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import type { Names } from '../frame/names.ts';
import { useNames } from '../frame/use-names.ts';
import { StateMark } from '../frame/state-mark.tsx';
import type { Heard } from '../link/happenings.ts';
import { useStore } from '../link/store.ts';
import { visit } from '../link/use-visit.ts';
import { clockWords } from '../words/times.ts';
import * as liveWords from '../words/english/live-words.ts';
import { happeningWords } from './happening-words.ts';

type Filter = 'all' | 'decisions' | 'lines';

interface RowProps {
  readonly heard: Heard;
  readonly names: Names;
}

const drawn = (heard: Heard, names: Names) => {
  const { mood, title, more, group } = happeningWords(heard.what, names);
  return (
    <div class="happening" data-group={group}>
      <StateMark mood={mood} />
      <div>
        <p>{title}</p>
        {more === null ? null : <p class="quiet small">{more}</p>}
      </div>
      <time class="quiet small">{clockWords(heard.at)}</time>
    </div>
  );
};

/** Drawn once: five hundred of them move down with each new one. */
const Row = ({ heard, names }: RowProps) => <li>{useMemo(() => drawn(heard, names), [heard, names])}</li>;

const isShown = (filter: Filter, heard: Heard, names: Names): boolean =>
  filter === 'all' || happeningWords(heard.what, names).group === filter;

export const Live = () => {
  const all = useStore(visit.heard);
  const names = useNames();
  const [filter, setFilter] = useState<Filter>('all');
  const [held, setHeld] = useState<readonly Heard[] | null>(null);
  const shown = (held ?? all).filter(heard => isShown(filter, heard, names));
  const missed = held === null ? 0 : (all[0]?.number ?? 0) - (held[0]?.number ?? 0);
  return (
    <section class="card panel" aria-labelledby="live">
      <h1 id="live">{liveWords.heading}</h1>
      <p class="quiet">{liveWords.intro}</p>
      <div class="bar">
        <Segments
          name="filter"
          legend={liveWords.filterLegend}
          chosen={filter}
          options={[
            { value: 'all', label: liveWords.filters.all },
            { value: 'decisions', label: liveWords.filters.decisions },
            { value: 'lines', label: liveWords.filters.lines },
          ]}
          choose={setFilter}
        />
        <Press icon={held === null ? shapes.pause : shapes.play} press={() => setHeld(held === null ? all : null)}>
          {held === null ? liveWords.pause : liveWords.goOn}
        </Press>
      </div>
      {missed > 0 ? <p role="status">{liveWords.paused(missed)}</p> : null}
      {shown.length === 0 ? <p class="quiet empty">{liveWords.empty}</p> : null}
      <ol class="happenings" aria-label={liveWords.heading}>
        {shown.map(heard => (
          <Row key={heard.number} heard={heard} names={names} />
        ))}
      </ol>
    </section>
  );
};
