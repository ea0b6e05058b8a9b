import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { useEffect, useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import { addressOf } from '../frame/screens.ts';
import { StateMark } from '../frame/state-mark.tsx';
import { useReading, visit } from '../link/use-visit.ts';
import { momentWords } from '../words/times.ts';
import * as claimWords from '../words/english/claim-words.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as overviewWords from '../words/english/overview-words.ts';
import { ClaimForm } from './claim-form.tsx';
import { Profiles } from './profiles.tsx';

const LOOK_MS = 2_000;

const Waiting = ({ state, other }: { readonly state: TechnicianClaimState; readonly other: () => void }) => (
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

const Done = ({ state }: { readonly state: TechnicianClaimState }) => (
  <section class="card panel" aria-labelledby="done">
    <div class="glance-title">
      <StateMark mood="good" />
      <h1 id="done">{claimWords.doneHeading}</h1>
    </div>
    <p>{claimWords.done}</p>
    <dl class="facts">
      <div>
        <dt>{claimWords.device}</dt>
        <dd>{state.device_id}</dd>
      </div>
      <div>
        <dt>{claimWords.site}</dt>
        <dd>{state.site_id}</dd>
      </div>
      <div>
        <dt>{overviewWords.bridge}</dt>
        <dd>{state.bridge_url}</dd>
      </div>
    </dl>
    <p>
      <a class="button primary" href={addressOf('rules')}>
        {claimWords.goOn}
      </a>
    </p>
  </section>
);

const Asking = ({
  state,
  claimed,
}: {
  readonly state: TechnicianClaimState;
  readonly claimed: (state: TechnicianClaimState) => void;
}) => (
  <div class="columns">
    <section class="card panel" aria-labelledby="claim">
      <h1 id="claim">{claimWords.heading}</h1>
      <p class="quiet">{claimWords.intro}</p>
      {state.state === 'refused' ? (
        <p class="wrong" role="alert">
          {claimWords.refused}: {state.message}
        </p>
      ) : null}
      <ClaimForm key={state.gadgets.length} state={state} claimed={claimed} />
    </section>
    <div class="column">
      <Profiles />
      <section class="card panel" aria-labelledby="replace">
        <h2 id="replace">{claimWords.replaceHeading}</h2>
        <p class="quiet">{claimWords.replace}</p>
      </section>
    </div>
  </div>
);

export const Claim = () => {
  const { status, rules } = useWhatIsKnown();
  const { value, put } = useReading<TechnicianClaimState>('/claim', LOOK_MS);
  const [isAskedAgain, setAskedAgain] = useState(false);
  const isClaimed = value?.state === 'claimed';
  useEffect(() => {
    if (!isClaimed) return;
    void status.reload();
    void rules.reload();
    void visit.look();
  }, [isClaimed]);
  if (value === null) return <p class="quiet">{frameWords.loading}</p>;
  if (isClaimed) return <Done state={value} />;
  if (value.state === 'waiting' && !isAskedAgain) return <Waiting state={value} other={() => setAskedAgain(true)} />;
  return (
    <Asking
      state={value}
      claimed={answer => {
        setAskedAgain(false);
        put(answer);
      }}
    />
  );
};
