import type { HealthCheck } from '@lintel/wire-protocol/technician/health';
import { type StatusLevel, StatusIcon } from '../../components/status-icon.tsx';
import { formatTimesInText } from '../messages/format-time.ts';
import * as overviewMessages from '../messages/english/overview.ts';

const levels: Readonly<Record<HealthCheck['state'], StatusLevel>> = {
  ok: 'ok',
  warn: 'warning',
  fail: 'error',
  unknown: 'neutral',
};

const HealthRow = ({ check }: { readonly check: HealthCheck }) => (
  <li class="check" data-state={check.state}>
    <StatusIcon level={levels[check.state]} />
    <div>
      <p>
        <strong>{check.title}</strong> <span class="unseen">{overviewMessages.healthStateNames[check.state]}:</span>{' '}
        <span class="quiet">{formatTimesInText(check.found)}</span>
      </p>
      {check.advice === null ? null : <p class="advice">{check.advice}</p>}
    </div>
  </li>
);

const order: Readonly<Record<HealthCheck['state'], number>> = { fail: 0, warn: 1, unknown: 2, ok: 3 };

/** Problems first; passed checks are collapsed. */
export const HealthCheckList = ({ checks }: { readonly checks: readonly HealthCheck[] }) => {
  const passed = checks.filter(({ state }) => state === 'ok');
  const problems = checks.filter(({ state }) => state !== 'ok').toSorted((a, b) => order[a.state] - order[b.state]);
  return (
    <>
      {problems.length === 0 ? null : (
        <ul class="checks">
          {problems.map(check => (
            <HealthRow key={check.id} check={check} />
          ))}
        </ul>
      )}
      {passed.length === 0 ? null : (
        <details class="fine">
          <summary>{overviewMessages.passedCheckCountText(passed.length)}</summary>
          <ul class="checks">
            {passed.map(check => (
              <HealthRow key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
