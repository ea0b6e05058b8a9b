import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useRef } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { useWhatIsKnown } from '../frame/known.ts';
import { useOrder } from '../frame/use-order.ts';
import { useCountdown, useNotify } from '../link/use-visit.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as trialWords from '../words/english/trial-words.ts';

/** On every screen while rules are in force on trial: the time runs wherever one is looking. */
export const ProvisionalBanner = () => {
  const { rules } = useWhatIsKnown();
  const { order, isBusy } = useOrder();
  const notify = useNotify();
  const { value, readAt, reload, put } = rules;
  const provisional = value?.provisional ?? null;
  const left = useCountdown(provisional?.seconds_left ?? null, readAt);
  const asked = useRef<'confirm' | 'revert' | null>(null);
  const wasOnTrial = useRef(false);
  useEffect(() => {
    if (provisional !== null && left === 0) void reload();
  }, [left === 0]);
  useEffect(() => {
    if (provisional === null && wasOnTrial.current) {
      notify(
        asked.current === 'confirm'
          ? trialWords.kept
          : asked.current === 'revert'
            ? trialWords.reverted
            : trialWords.timedOut,
      );
      asked.current = null;
    }
    wasOnTrial.current = provisional !== null;
  }, [provisional === null]);
  if (provisional === null) return null;
  const end = async (how: 'confirm' | 'revert'): Promise<void> => {
    asked.current = how;
    const answer = await order<TechnicianRules>({ method: 'POST', path: `/input_rules/${how}`, body: {} });
    if (answer === null) asked.current = null;
    else put(answer);
  };
  return (
    <section class="card panel trial" aria-labelledby="trial">
      <div>
        <h2 id="trial">{trialWords.heading}</h2>
        <p>{trialWords.text}</p>
      </div>
      <p class="countdown" role="timer">
        {frameWords.clock(left)}
      </p>
      <div class="bar">
        <Press look="primary" icon={shapes.check} isOff={isBusy} press={() => void end('confirm')}>
          {trialWords.keep}
        </Press>
        <Press icon={shapes.undo} isOff={isBusy} press={() => void end('revert')}>
          {trialWords.revert}
        </Press>
      </div>
    </section>
  );
};
