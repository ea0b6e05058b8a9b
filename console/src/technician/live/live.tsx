import { useMemo, useState } from 'preact/hooks';
import { Button, SegmentedControl } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import type { LiveLogEntry } from '../api/live-log.ts';
import { useStore } from '../api/store.ts';
import { session } from '../api/use-session.ts';
import { StatusIcon } from '../components/status-icon.tsx';
import * as liveMessages from '../messages/english/live.ts';
import { formatTime } from '../messages/format-time.ts';
import type { GadgetNames } from '../state/gadget-names.ts';
import { useGadgetNames } from '../state/use-gadget-names.ts';
import { describeLiveEvent } from './describe-live-event.ts';

type Filter = 'all' | 'decisions' | 'io';

interface RowProps {
  readonly entry: LiveLogEntry;
  readonly names: GadgetNames;
}

const renderEntry = (entry: LiveLogEntry, names: GadgetNames) => {
  const { level, title, details, group } = describeLiveEvent(entry.event, names);
  return (
    <div class="live-event" data-group={group}>
      <StatusIcon level={level} />
      <div>
        <p>{title}</p>
        {details === null ? null : <p class="quiet small">{details}</p>}
      </div>
      <time class="quiet small">{formatTime(entry.at)}</time>
    </div>
  );
};

/** Memoized, because each new event moves up to 500 rows. */
const Row = ({ entry, names }: RowProps) => <li>{useMemo(() => renderEntry(entry, names), [entry, names])}</li>;

const isShown = (filter: Filter, entry: LiveLogEntry, names: GadgetNames): boolean =>
  filter === 'all' || describeLiveEvent(entry.event, names).group === filter;

export const Live = () => {
  const log = useStore(session.liveLog);
  const names = useGadgetNames();
  const [filter, setFilter] = useState<Filter>('all');
  const [pausedLog, setPausedLog] = useState<readonly LiveLogEntry[] | null>(null);
  const isPaused = pausedLog !== null;
  const shown = (pausedLog ?? log).filter(entry => isShown(filter, entry, names));
  const missed = isPaused ? (log[0]?.number ?? 0) - (pausedLog[0]?.number ?? 0) : 0;
  return (
    <section class="card panel" aria-labelledby="live">
      <h1 id="live">{liveMessages.heading}</h1>
      <p class="quiet">{liveMessages.intro}</p>
      <div class="bar">
        <SegmentedControl
          name="filter"
          legend={liveMessages.filterLegend}
          value={filter}
          options={[
            { value: 'all', label: liveMessages.filters.all },
            { value: 'decisions', label: liveMessages.filters.decisions },
            { value: 'io', label: liveMessages.filters.io },
          ]}
          onChange={setFilter}
        />
        <Button icon={isPaused ? icons.play : icons.pause} onPress={() => setPausedLog(isPaused ? null : log)}>
          {isPaused ? liveMessages.resume : liveMessages.pause}
        </Button>
      </div>
      {missed > 0 ? <p role="status">{liveMessages.missed(missed)}</p> : null}
      {shown.length === 0 ? <p class="quiet empty">{liveMessages.empty}</p> : null}
      <ol class="live-events" aria-label={liveMessages.heading}>
        {shown.map(entry => (
          <Row key={entry.number} entry={entry} names={names} />
        ))}
      </ol>
    </section>
  );
};
