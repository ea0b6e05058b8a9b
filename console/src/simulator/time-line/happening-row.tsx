import type { Happening } from '@lintel/wire-protocol/simulator/happening';
import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import { stopNames, stopsOf, stopWords } from './way-words.ts';

type Mood = 'good' | 'wrong' | 'calm';

const shapeOf = ({ kind }: Happening): string => {
  switch (kind) {
    case 'use':
      return shapes.check;
    case 'deny':
      return shapes.cross;
    case 'signal':
      return shapes.bell;
    case 'fault':
    case 'gap':
      return shapes.fault;
    case 'state':
    case 'other':
      return shapes.door;
  }
};

const moodOf = ({ kind }: Happening): Mood => {
  if (kind === 'use') return 'good';
  return kind === 'state' || kind === 'other' ? 'calm' : 'wrong';
};

const Way = ({ happening, clock }: { readonly happening: Happening; readonly clock: (iso: string) => string }) => (
  <ol class="way" aria-label="The way of this event">
    {stopsOf(happening, clock).map(view => (
      <li key={view.stop} data-state={view.state} data-stop={view.stop}>
        <span class="unseen">{stopWords(view)}</span>
        <span class="stop" aria-hidden="true">
          {stopNames[view.stop]}
        </span>
        <span class="time" aria-hidden="true">
          {view.time}
        </span>
      </li>
    ))}
  </ol>
);

/** What happened, and why: a sentence that ends in its reason is told in two. */
const toldWords = ({ kind, words }: Happening): { readonly what: string; readonly why: string | null } => {
  const end = kind === 'deny' || kind === 'fault' ? words.lastIndexOf(': ') : -1;
  return end < 0 ? { what: words, why: null } : { what: words.slice(0, end), why: words.slice(end + 2) };
};

const decidedWords = (happening: Happening): string => {
  const { kind, decided_by, is_time_trusted, deliveries } = happening;
  return [
    toldWords(happening).why,
    `${kind === 'use' || kind === 'deny' ? 'decided' : 'noticed'} at the ${decided_by}`,
    is_time_trusted ? null : 'time not trusted',
    deliveries > 1 ? `delivered ${deliveries} times` : null,
  ]
    .filter(words => words !== null)
    .join(' · ');
};

interface RowProps {
  readonly happening: Happening;
  readonly place: number;
  readonly clock: (iso: string) => string;
}

/** Rows are moved by `place` alone: one that comes in on top pushes nothing in the layout. */
export const HappeningRow = ({ happening, place, clock }: RowProps) => (
  <li
    class="happening"
    data-mood={moodOf(happening)}
    data-kind={happening.kind}
    data-event={happening.id}
    style={{ '--place': String(place) }}
  >
    <span class="mark">
      <Icon shape={shapeOf(happening)} />
    </span>
    <div class="told">
      <p class="words" title={happening.words}>
        {toldWords(happening).what}
      </p>
      <p class="decided">{decidedWords(happening)}</p>
      <Way happening={happening} clock={clock} />
    </div>
  </li>
);
