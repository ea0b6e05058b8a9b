import { useMemo, useState } from 'preact/hooks';
import { Button, SegmentedControl } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import type { LiveLogEntry } from '../api/prepend-to-live-log.ts';
import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import { StatusIcon } from '../../components/status-icon.tsx';
import * as liveMessages from '../messages/english/live-log.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { formatTime } from '../messages/format-time.ts';
import type { GadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import { describeLiveMessage } from './describe-live-message.ts';

type Filter = 'all' | 'decisions' | 'io';

interface RowProps {
  readonly entry: LiveLogEntry;
  readonly names: GadgetAndActionNames;
}

const renderEntry = (entry: LiveLogEntry, names: GadgetAndActionNames) => {
  const { level, title, details, group } = describeLiveMessage(entry.event, names);
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

const isShown = (filter: Filter, entry: LiveLogEntry, names: GadgetAndActionNames): boolean =>
  filter === 'all' || describeLiveMessage(entry.event, names).group === filter;

export const LiveScreen = () => {
  const log = useObservableValue(controllerSession.liveLog);
  const linkState = useObservableValue(controllerSession.linkState);
  const names = useGadgetAndActionNames();
  const [filter, setFilter] = useState<Filter>('all');
  const [pausedLog, setPausedLog] = useState<readonly LiveLogEntry[] | null>(null);
  const isPaused = pausedLog !== null;
  const shown = (pausedLog ?? log).filter(entry => isShown(filter, entry, names));
  const missed = isPaused ? (log[0]?.number ?? 0) - (pausedLog[0]?.number ?? 0) : 0;
  return (
    <section class="card panel" aria-labelledby="live">
      <h1 id="live">{liveMessages.liveHeading}</h1>
      <p class="quiet">{liveMessages.liveIntroText}</p>
      <div class="bar">
        <SegmentedControl
          name="filter"
          legend={liveMessages.liveFilterLegend}
          value={filter}
          options={[
            { value: 'all', label: liveMessages.liveFilterNames.all },
            { value: 'decisions', label: liveMessages.liveFilterNames.decisions },
            { value: 'io', label: liveMessages.liveFilterNames.io },
          ]}
          onChange={setFilter}
        />
        <Button icon={isPaused ? icons.playIcon : icons.pauseIcon} onPress={() => setPausedLog(isPaused ? null : log)}>
          {isPaused ? liveMessages.resumeLiveLogButton : liveMessages.pauseButton}
        </Button>
      </div>
      {missed > 0 ? <p role="status">{liveMessages.missedEventCountText(missed)}</p> : null}
      {shown.length === 0 ? (
        <p class="quiet empty">
          {linkState === 'forbidden' ? shellMessages.eventsNotPermittedText : liveMessages.noEventsYetText}
        </p>
      ) : null}
      <ol class="live-events" aria-label={liveMessages.liveHeading}>
        {shown.map(entry => (
          <Row key={entry.number} entry={entry} names={names} />
        ))}
      </ol>
    </section>
  );
};
