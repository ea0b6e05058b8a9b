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
import { MemberReference } from '../components/member-reference.tsx';
import { describeLiveMessage } from './describe-live-message.ts';
import { foldLiveLog, type LiveLogItem } from './fold-live-log.ts';

type Filter = 'access' | 'io' | 'all';

interface RowProps {
  readonly entry: LiveLogEntry;
  readonly names: GadgetAndActionNames;
}

const renderEntry = (entry: LiveLogEntry, names: GadgetAndActionNames) => {
  const { level, title, details, group, memberId } = describeLiveMessage(entry.event, names);
  return (
    <div class="live-event" data-group={group}>
      <StatusIcon level={level} />
      <div>
        <p>{title}</p>
        {details === null ? null : <p class="quiet small">{details}</p>}
        {memberId === null ? null : (
          <p class="quiet small">
            <MemberReference id={memberId} />
          </p>
        )}
      </div>
      <time class="quiet small">{formatTime(entry.at)}</time>
    </div>
  );
};

/** Memoized, because each new event moves up to 500 rows. */
const Row = ({ entry, names }: RowProps) => <li>{useMemo(() => renderEntry(entry, names), [entry, names])}</li>;

const FoldedRows = ({
  entries,
  names,
}: {
  readonly entries: readonly LiveLogEntry[];
  readonly names: GadgetAndActionNames;
}) => (
  <li>
    <details>
      <summary class="quiet small">{liveMessages.foldedEventCountText(entries.length)}</summary>
      <ol class="live-events">
        {entries.map(entry => (
          <Row key={entry.number} entry={entry} names={names} />
        ))}
      </ol>
    </details>
  </li>
);

const itemsOf = (filter: Filter, log: readonly LiveLogEntry[], names: GadgetAndActionNames): readonly LiveLogItem[] => {
  const describe = (entry: LiveLogEntry) => describeLiveMessage(entry.event, names);
  if (filter === 'access') return foldLiveLog(log, describe);
  const shown = filter === 'all' ? log : log.filter(entry => describe(entry).group === 'io');
  return shown.map(entry => ({ kind: 'event', entry }));
};

export const LiveScreen = () => {
  const log = useObservableValue(controllerSession.liveLog);
  const linkState = useObservableValue(controllerSession.linkState);
  const names = useGadgetAndActionNames();
  const [filter, setFilter] = useState<Filter>('access');
  const [pausedLog, setPausedLog] = useState<readonly LiveLogEntry[] | null>(null);
  const isPaused = pausedLog !== null;
  const shown = itemsOf(filter, pausedLog ?? log, names);
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
            { value: 'access', label: liveMessages.liveFilterNames.decisions },
            { value: 'io', label: liveMessages.liveFilterNames.io },
            { value: 'all', label: liveMessages.liveFilterNames.all },
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
        {shown.map(item =>
          item.kind === 'event' ? (
            <Row key={item.entry.number} entry={item.entry} names={names} />
          ) : (
            <FoldedRows key={`fold ${item.number}`} entries={item.entries} names={names} />
          ),
        )}
      </ol>
    </section>
  );
};
