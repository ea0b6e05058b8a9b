import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import { useEffect, useState } from 'preact/hooks';
import { useWhatIsKnown } from '../frame/known.ts';
import { useReading, visit } from '../link/use-visit.ts';
import * as claimWords from '../words/english/claim-words.ts';
import * as frameWords from '../words/english/frame-words.ts';
import { ClaimForm } from './claim-form.tsx';
import { Done } from './done.tsx';
import { Profiles } from './profiles.tsx';
import { isBare } from './bare-board.ts';
import { Waiting } from './waiting.tsx';

const LOOK_MS = 2_000;

interface AskingProps {
  readonly state: TechnicianClaimState;
  readonly claimed: (state: TechnicianClaimState) => void;
  /** Null where there is nothing to go back to. */
  readonly back: (() => void) | null;
}

const Asking = ({ state, claimed, back }: AskingProps) => {
  const { status } = useWhatIsKnown();
  const product = status.value?.product_id;
  const isAnew = state.state === 'claimed';
  return (
    <div class="columns">
      <section class="card panel" aria-labelledby="claim">
        <h1 id="claim">{isAnew ? claimWords.anewStart : claimWords.heading}</h1>
        <p class="quiet">{isBare(product) ? claimWords.profileFirst : claimWords.intro}</p>
        {state.state === 'refused' ? (
          <p class="wrong" role="alert">
            {claimWords.refused}: {state.message}
          </p>
        ) : null}
        {isBare(product) ? null : (
          <ClaimForm key={JSON.stringify(state.gadgets)} state={state} isAnew={isAnew} claimed={claimed} back={back} />
        )}
      </section>
      <div class="column">
        {isAnew ? null : <Profiles />}
        <section class="card panel" aria-labelledby="replace">
          <h2 id="replace">{claimWords.replaceHeading}</h2>
          <p class="quiet">{claimWords.replace}</p>
        </section>
      </div>
    </div>
  );
};

export const Claim = () => {
  const { status, rules } = useWhatIsKnown();
  const { value, put } = useReading<TechnicianClaimState>('/claim', LOOK_MS);
  const [isAskedAgain, setAskedAgain] = useState(false);
  const device = value?.state === 'claimed' ? value.device_id : null;
  useEffect(() => {
    if (device === null) return;
    setAskedAgain(false);
    void status.reload();
    void rules.reload();
    void visit.look();
  }, [device]);
  if (value === null) return <p class="quiet">{frameWords.loading}</p>;
  const waiting = value.state === 'waiting' ? value : value.anew?.state === 'waiting' ? value.anew : null;
  if (!isAskedAgain && waiting !== null) return <Waiting state={waiting} other={() => setAskedAgain(true)} />;
  if (!isAskedAgain && device !== null) return <Done state={value} startAnew={() => setAskedAgain(true)} />;
  return (
    <Asking
      state={value}
      claimed={answer => {
        setAskedAgain(false);
        put(answer);
      }}
      back={isAskedAgain ? () => setAskedAgain(false) : null}
    />
  );
};
