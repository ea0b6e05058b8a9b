import type { CredentialTried } from '@lintel/wire-protocol/technician/trying';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Segments } from '../../design/controls.tsx';
import { CARD_PATIENCE_MS, CardWait } from '../frame/card-wait.tsx';
import { Field } from '../frame/field.tsx';
import { Form } from '../frame/form.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import type { Names } from '../frame/names.ts';
import { useNames } from '../frame/use-names.ts';
import { StateMark } from '../frame/state-mark.tsx';
import { useLock } from '../frame/use-lock.ts';
import { useOrder } from '../frame/use-order.ts';
import { isRefusedWith } from '../link/answer.ts';
import { deedWords } from '../live/happening-words.ts';
import { deedOf } from '../rules/rule-sentence.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as liveWords from '../words/english/live-words.ts';
import * as tryingWords from '../words/english/trying-words.ts';

type Kind = 'pin' | 'next_card';

interface VerdictProps {
  readonly tried: CredentialTried;
  readonly names: Names;
}

const Verdict = ({ tried, names }: VerdictProps) => {
  if (tried.outcome === 'no_card') return <p class="verdict">{tryingWords.noCard}</p>;
  const isGranted = tried.granted === true;
  const deed = deedWords(names, tried.would?.gadget_id, tried.would?.action_id);
  const { subject } = tried;
  return (
    <div class="verdict" data-is-granted={isGranted ? '' : undefined}>
      <StateMark mood={isGranted ? 'good' : 'wrong'} />
      <div>
        <p>
          <strong>{isGranted ? tryingWords.wouldGrant(deed) : tryingWords.wouldDeny(deed)}</strong>
        </p>
        {tried.reason === null ? null : <p>{liveWords.because(tried.reason)}</p>}
        {tried.card === null ? null : <p class="quiet small">{tryingWords.yourCard(tried.card)}</p>}
        {subject?.is_commissioning === true ? <p class="quiet small">{tryingWords.commissioning}</p> : null}
        {subject?.member_id == null ? null : <p class="quiet small">{tryingWords.member(subject.member_id)}</p>}
        {tried.would?.is_own === false ? <p class="quiet small">{tryingWords.decidesAgain}</p> : null}
      </div>
    </div>
  );
};

export const TryAs = () => {
  const { rules } = useWhatIsKnown();
  const names = useNames();
  const { order, isBusy } = useOrder();
  const { left, isLocking } = useLock();
  const [code, setCode] = useState('');
  const [kind, setKind] = useState<Kind>('pin');
  const [pin, setPin] = useState('');
  const [tried, setTried] = useState<CredentialTried | null>(null);
  const verdict = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tried !== null) verdict.current?.scrollIntoView({ block: 'nearest' });
  }, [tried]);
  const known = rules.value?.input_rules ?? [];
  const chosen = known.some(rule => rule.code === code) ? code : (known[0]?.code ?? '');
  const isLocked = kind === 'pin' && left > 0;
  const isReady = kind === 'next_card' || /^[0-9]{4,20}$/.test(pin);
  const press = async (): Promise<void> => {
    setTried(null);
    const credential = kind === 'pin' ? { type: 'pin', pin } : { type: 'next_card' };
    const answer = await order<CredentialTried>(
      {
        method: 'POST',
        path: '/input_rules/try',
        body: { code: chosen, credential },
        patience_ms: CARD_PATIENCE_MS,
      },
      failed => {
        if (failed.ok) return null;
        // Said at the field, for as long as it lasts.
        if (isLocking(failed.failure)) return '';
        return isRefusedWith(failed.failure, 409, 'busy') ? tryingWords.busy : null;
      },
    );
    setTried(answer);
  };
  return (
    <section class="card panel" aria-labelledby="as">
      <h2 id="as">{tryingWords.asHeading}</h2>
      <p class="quiet">{tryingWords.as}</p>
      <Form
        isOff={!isReady || isBusy || isLocked}
        send={() => void press()}
        words={isLocked ? frameWords.wait(frameWords.clock(left)) : isBusy ? tryingWords.trying : tryingWords.press}
      >
        {known.length === 0 ? null : (
          <Field id="try-rule" label={tryingWords.rule}>
            {described => (
              <select {...described} value={chosen} onChange={event => setCode(event.currentTarget.value)}>
                {known.map(rule => (
                  <option key={rule.code} value={rule.code}>
                    {tryingWords.choice(rule.code, deedOf(rule, names))}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Segments
          name="credential"
          legend={tryingWords.credentialLegend}
          chosen={kind}
          options={[
            { value: 'pin', label: tryingWords.pin },
            { value: 'next_card', label: tryingWords.card },
          ]}
          choose={setKind}
        />
        {kind === 'pin' ? (
          <Field id="try-pin" label={tryingWords.pin} error={isLocked ? tryingWords.locked : null}>
            {described => (
              <input
                {...described}
                class="big-code"
                type="password"
                inputmode="numeric"
                autocomplete="off"
                value={pin}
                onInput={event => setPin(event.currentTarget.value.replaceAll(/[^0-9]/g, '').slice(0, 20))}
              />
            )}
          </Field>
        ) : null}
        {isBusy && kind === 'next_card' ? <CardWait /> : null}
      </Form>
      <div role="status" ref={verdict}>
        {tried === null ? null : <Verdict tried={tried} names={names} />}
      </div>
    </section>
  );
};
