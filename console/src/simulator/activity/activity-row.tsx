import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { eventHopLabels, listEventHops, describeEventHop } from './event-hops.ts';

type Level = 'ok' | 'error' | 'neutral';

const iconOf = ({ kind }: SimulatorActivityEntry): string => {
  switch (kind) {
    case 'use':
      return icons.checkMarkIcon;
    case 'deny':
      return icons.crossMarkIcon;
    case 'signal':
      return icons.bellIcon;
    case 'fault':
    case 'gap':
      return icons.faultIcon;
    case 'state':
    case 'other':
      return icons.doorIcon;
  }
};

const levelOf = ({ kind }: SimulatorActivityEntry): Level => {
  if (kind === 'use') return 'ok';
  return kind === 'state' || kind === 'other' ? 'neutral' : 'error';
};

const Route = ({
  event,
  clock,
}: {
  readonly event: SimulatorActivityEntry;
  readonly clock: (iso: string) => string;
}) => (
  <ol class="route" aria-label="Delivery of this event">
    {listEventHops(event, clock).map(view => (
      <li key={view.stop} data-state={view.state} data-stop={view.stop}>
        <span class="unseen">{describeEventHop(view)}</span>
        <span class="stop" aria-hidden="true">
          {eventHopLabels[view.stop]}
        </span>
        <span class="time" aria-hidden="true">
          {view.time}
        </span>
      </li>
    ))}
  </ol>
);

/** Splits a text that ends with a reason: `Room 101 denied: no access`. */
const splitReason = ({
  kind,
  words,
}: SimulatorActivityEntry): { readonly text: string; readonly reason: string | null } => {
  const end = kind === 'deny' || kind === 'fault' ? words.lastIndexOf(': ') : -1;
  return end < 0 ? { text: words, reason: null } : { text: words.slice(0, end), reason: words.slice(end + 2) };
};

const describeDetails = (event: SimulatorActivityEntry): string => {
  const { kind, decided_by, is_time_trusted, deliveries } = event;
  return [
    splitReason(event).reason,
    `${kind === 'use' || kind === 'deny' ? 'decided' : 'detected'} at the ${decided_by}`,
    is_time_trusted ? null : 'clock not trusted',
    deliveries > 1 ? `delivered ${deliveries} times` : null,
  ]
    .filter(text => text !== null)
    .join(' · ');
};

interface RowProps {
  readonly event: SimulatorActivityEntry;
  readonly position: number;
  readonly clock: (iso: string) => string;
}

/** Positioned by a transform, so that a new row causes no layout shift. */
export const ActivityRow = ({ event, position, clock }: RowProps) => (
  <li
    class="activity-row"
    data-level={levelOf(event)}
    data-kind={event.kind}
    data-event={event.id}
    style={{ '--position': String(position) }}
  >
    <span class="mark">
      <Icon shape={iconOf(event)} />
    </span>
    <div class="event-body">
      <p class="text" title={event.words}>
        {splitReason(event).text}
      </p>
      <p class="details">{describeDetails(event)}</p>
      <Route event={event} clock={clock} />
    </div>
  </li>
);
