import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { Press } from '../../design/controls.tsx';
import { StateMark } from '../frame/state-mark.tsx';
import { momentWords } from '../words/times.ts';
import * as claimWords from '../words/english/claim-words.ts';

interface WaitingProps {
  readonly state: Pick<TechnicianClaimState, 'bridge_url' | 'message' | 'expires_at'>;
  readonly other: () => void;
}

export const Waiting = ({ state, other }: WaitingProps) => (
  <section class="card panel" aria-labelledby="waiting">
    <h1 id="waiting">{claimWords.waitingHeading}</h1>
    <p>{claimWords.waiting}</p>
    <ol class="checks" aria-live="polite">
      <li class="check">
        <StateMark mood="good" />
        <p>{claimWords.steps.kept}</p>
      </li>
      <li class="check">
        <StateMark mood="look" />
        <div>
          <p>{claimWords.steps.line}</p>
          <p class="quiet small">{state.bridge_url}</p>
          {state.message === null ? null : <p class="quiet small">{claimWords.lastTry(state.message)}</p>}
        </div>
      </li>
      <li class="check">
        <StateMark mood="quiet" />
        <p>{claimWords.steps.done}</p>
      </li>
    </ol>
    {state.expires_at === null ? null : <p class="quiet">{claimWords.ticketUntil(momentWords(state.expires_at))}</p>}
    <Press press={other}>{claimWords.other}</Press>
  </section>
);
