import type { HealthCheck } from '@lintel/wire-protocol/technician/health';
import { type Mood, StateMark } from '../frame/state-mark.tsx';
import * as overviewWords from '../words/english/overview-words.ts';

const moods: Readonly<Record<HealthCheck['state'], Mood>> = {
  ok: 'good',
  warn: 'look',
  fail: 'wrong',
  unknown: 'quiet',
};

export const moodOf = (state: HealthCheck['state']): Mood => moods[state];

const HealthRow = ({ check }: { readonly check: HealthCheck }) => (
  <li class="check" data-state={check.state}>
    <StateMark mood={moods[check.state]} />
    <div>
      <p>
        <strong>{check.title}</strong> <span class="unseen">{overviewWords.state[check.state]}:</span>{' '}
        <span class="quiet">{check.found}</span>
      </p>
      {check.advice === null ? null : <p class="advice">{check.advice}</p>}
    </div>
  </li>
);

const weight: Readonly<Record<HealthCheck['state'], number>> = { fail: 0, warn: 1, unknown: 2, ok: 3 };

/** What needs somebody first; what is fine can be looked up. */
export const HealthList = ({ checks }: { readonly checks: readonly HealthCheck[] }) => {
  const fine = checks.filter(({ state }) => state === 'ok');
  const others = checks.filter(({ state }) => state !== 'ok').toSorted((a, b) => weight[a.state] - weight[b.state]);
  return (
    <>
      {others.length === 0 ? null : (
        <ul class="checks">
          {others.map(check => (
            <HealthRow key={check.id} check={check} />
          ))}
        </ul>
      )}
      {fine.length === 0 ? null : (
        <details class="fine">
          <summary>{overviewWords.fineChecks(fine.length)}</summary>
          <ul class="checks">
            {fine.map(check => (
              <HealthRow key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
