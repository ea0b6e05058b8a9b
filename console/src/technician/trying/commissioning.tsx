import type { CommissioningMade, CommissioningState } from '@lintel/wire-protocol/technician/commissioning';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { CARD_PATIENCE_MS, CardWait } from '../frame/card-wait.tsx';
import { useOrder } from '../frame/use-order.ts';
import { isRefusedWith } from '../link/answer.ts';
import { Store, useStore } from '../link/store.ts';
import { useCountdown, useHearing, useNotify, useReading } from '../link/use-visit.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as tryingWords from '../words/english/trying-words.ts';
import { Proofs } from './proofs.tsx';

const LOOK_MS = 10_000;

/** Told once, and needed on the way between the screens; in the memory of the page only. */
const shownPin = new Store<string | null>(null);

interface StandingProps {
  readonly state: CommissioningState;
  readonly left: number;
  readonly pin: string | null;
  readonly end: () => void;
}

const Standing = ({ state, left, pin, end }: StandingProps) => (
  <div class="standing">
    {state.kind === 'card' ? (
      <p class="big">{tryingWords.yourCard(state.card ?? '')}</p>
    ) : pin === null ? (
      <p>{tryingWords.pinHidden}</p>
    ) : (
      <>
        <p class="quiet">{tryingWords.yourPin}</p>
        <p class="pin">{pin}</p>
        <p class="quiet small">{tryingWords.pinOnce}</p>
      </>
    )}
    <p>
      <strong>{tryingWords.left(frameWords.clock(left))}</strong> · {tryingWords.uses(state.uses)}
    </p>
    <Press press={end}>{tryingWords.end}</Press>
  </div>
);

export const Commissioning = () => {
  const { value, readAt, reload } = useReading<CommissioningState>('/commissioning', LOOK_MS);
  const left = useCountdown(value?.seconds_left ?? null, readAt);
  const pin = useStore(shownPin);
  const [isWaiting, setWaiting] = useState(false);
  const { order } = useOrder();
  const notify = useNotify();
  useHearing(({ type }) => {
    if (type === 'event') void reload();
  });
  const make = async (kind: 'pin' | 'next_card'): Promise<void> => {
    setWaiting(kind === 'next_card');
    const made = await order<CommissioningMade>(
      { method: 'POST', path: '/commissioning', body: { kind }, patience_ms: CARD_PATIENCE_MS },
      answer => {
        if (answer.ok) return null;
        if (isRefusedWith(answer.failure, 409, 'not_claimed')) return tryingWords.notClaimed;
        return isRefusedWith(answer.failure, 409, 'busy') ? tryingWords.busy : null;
      },
    );
    setWaiting(false);
    if (made === null) return;
    if (made.outcome === 'no_card') notify(tryingWords.noCard, true);
    shownPin.set(made.pin);
    await reload();
  };
  const end = async (): Promise<void> => {
    shownPin.set(null);
    await order({ method: 'DELETE', path: '/commissioning' });
    await reload();
  };
  return (
    <section class="card panel" aria-labelledby="prove">
      <h2 id="prove">{tryingWords.proveHeading}</h2>
      <p class="quiet">{tryingWords.prove}</p>
      {value?.active === true && left > 0 ? (
        <Standing state={value} left={left} pin={pin} end={() => void end()} />
      ) : null}
      <Proofs />
      {isWaiting ? <CardWait /> : null}
      <div class="bar">
        <Press look="primary" icon={shapes.keypad} isOff={isWaiting} press={() => void make('pin')}>
          {tryingWords.makePin}
        </Press>
        <Press icon={shapes.card} isOff={isWaiting} press={() => void make('next_card')}>
          {tryingWords.useCard}
        </Press>
      </div>
      <p class="quiet small">{tryingWords.others}</p>
    </section>
  );
};
