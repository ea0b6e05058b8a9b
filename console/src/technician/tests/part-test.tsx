import type { NextCard } from '@lintel/wire-protocol/technician/tests';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { CARD_PATIENCE_MS, CardWait } from '../frame/card-wait.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import { useOrder } from '../frame/use-order.ts';
import { isRefusedWith } from '../link/answer.ts';
import { useHearing } from '../link/use-visit.ts';
import * as testWords from '../words/english/test-words.ts';
import * as tryingWords from '../words/english/trying-words.ts';
import { TestCard } from './judge.tsx';
import type { TestablePart } from './testable-parts.ts';

const PULSE_MS = 500;

type Part<K extends TestablePart['kind']> = Extract<TestablePart, { kind: K }>;

/** Presses something and says what to look for. */
const useAttempt = () => {
  const { order, isBusy } = useOrder();
  const { tests } = useWhatIsKnown();
  const [said, say] = useState<string | null>(null);
  const attempt = async (path: string, body: object, done: string): Promise<void> => {
    say(null);
    const answer = await order({ method: 'POST', path, body });
    if (answer !== null) say(done);
    await tests.reload();
  };
  return { attempt, isBusy, said: <p role="status">{said}</p> };
};

const GadgetTest = ({ part }: { readonly part: Part<'gadget'> }) => {
  const { attempt, isBusy, said } = useAttempt();
  return (
    <TestCard id={part.id} title={`${part.name}: ${part.action}`}>
      <Press
        icon={shapes.play}
        isOff={isBusy}
        label={`${part.name}: ${part.action}`}
        press={() => void attempt(`/gadgets/${part.gadget_id}/actions/${part.action_id}`, {}, testWords.acted)}
      >
        {part.action}
      </Press>
      {said}
    </TestCard>
  );
};

const OutputTest = ({ part }: { readonly part: Part<'output'> }) => {
  const { attempt, isBusy, said } = useAttempt();
  const title = testWords.output(part.output, part.role);
  return (
    <TestCard id={part.id} title={title}>
      <Press
        icon={shapes.force}
        isOff={isBusy}
        label={`${title}: ${testWords.pulse}`}
        press={() =>
          void attempt(`/outputs/${encodeURIComponent(part.output)}/pulse`, { ms: PULSE_MS }, testWords.pulsed)
        }
      >
        {testWords.pulse}
      </Press>
      {said}
    </TestCard>
  );
};

const FeedbackTest = ({ part }: { readonly part: Part<'keypad' | 'reader' | 'feedback'> }) => {
  const { attempt, isBusy, said } = useAttempt();
  const title = testWords.feedback(part.station);
  const play = (pattern: 'granted' | 'denied') => (
    <Press
      icon={shapes.bell}
      isOff={isBusy}
      label={`${title}: ${testWords.patterns[pattern]}`}
      press={() =>
        void attempt(`/stations/${encodeURIComponent(part.station)}/feedback`, { pattern }, testWords.playing)
      }
    >
      {testWords.patterns[pattern]}
    </Press>
  );
  return (
    <TestCard id={part.id} title={title}>
      <div class="bar">
        {play('granted')}
        {play('denied')}
      </div>
      {said}
    </TestCard>
  );
};

const ReaderTest = ({ part }: { readonly part: Part<'keypad' | 'reader' | 'feedback'> }) => {
  const { order } = useOrder();
  const { tests } = useWhatIsKnown();
  const [isWaiting, setWaiting] = useState(false);
  const [card, setCard] = useState<NextCard | null>(null);
  const title = testWords.reader(part.station);
  const read = async (): Promise<void> => {
    setCard(null);
    setWaiting(true);
    const answer = await order<NextCard>(
      {
        method: 'POST',
        path: `/readers/${encodeURIComponent(part.station)}/next_card`,
        body: {},
        patience_ms: CARD_PATIENCE_MS,
      },
      failed => (!failed.ok && isRefusedWith(failed.failure, 409, 'busy') ? tryingWords.busy : null),
    );
    setWaiting(false);
    setCard(answer);
    await tests.reload();
  };
  return (
    <TestCard id={part.id} title={title}>
      <Press icon={shapes.card} isOff={isWaiting} label={`${title}: ${testWords.readCard}`} press={() => void read()}>
        {testWords.readCard}
      </Press>
      {isWaiting ? <CardWait /> : null}
      <div role="status">
        {card === null ? null : card.outcome === 'no_card' ? (
          <p>{tryingWords.noCard}</p>
        ) : card.uid === null ? (
          <p>{testWords.phone}</p>
        ) : (
          <>
            <p class="uid">{card.uid}</p>
            <p class="quiet small">{testWords.uidOnce}</p>
          </>
        )}
      </div>
    </TestCard>
  );
};

const KeypadTest = ({ part }: { readonly part: Part<'keypad' | 'reader' | 'feedback'> }) => {
  const [typed, setTyped] = useState<readonly string[]>([]);
  useHearing(what => {
    if (what.type === 'key' && what.station === part.station) setTyped(before => [...before, what.key].slice(-24));
  });
  return (
    <TestCard id={part.id} title={testWords.keypad(part.station)}>
      <p class="quiet small">{testWords.keypadHint}</p>
      <p class="typed-keys" role="status" aria-label={testWords.keys(typed.length)}>
        {typed.join(' ')}
      </p>
    </TestCard>
  );
};

const InputTest = ({ part }: { readonly part: Part<'input'> }) => {
  const [changes, setChanges] = useState(0);
  const [level, setLevel] = useState<string | null>(null);
  useHearing(what => {
    if (what.type !== 'input' || what.input !== part.input) return;
    setLevel(what.level);
    setChanges(count => count + 1);
  });
  const now = level ?? part.level;
  return (
    <TestCard id={part.id} title={testWords.input(part.input, part.role)}>
      <p role="status">
        <span class="level" data-level={now}>
          {testWords.level(now)}
        </span>
        {changes === 0 ? '' : `, ${testWords.changes(changes)}`}
      </p>
      <p class="quiet small">{testWords.inputHint}</p>
    </TestCard>
  );
};

const PowerTest = ({ part }: { readonly part: Part<'power'> }) => {
  const { status } = useWhatIsKnown();
  const power = status.value?.power;
  const told = (is: boolean | null | undefined): string =>
    is == null ? testWords.notTold : is ? testWords.yes : testWords.no;
  const charge = [
    power?.battery_charging === true ? testWords.charging : null,
    power?.battery_percent == null ? null : testWords.percent(power.battery_percent),
  ].filter(one => one !== null);
  return (
    <TestCard id={part.id} title={testWords.groups.power}>
      <p role="status">
        {testWords.powerOf(told(power?.mains_present), told(power?.battery_present))}
        {charge.length === 0 ? '' : ` (${charge.join(', ')})`}
      </p>
      <p class="quiet small">{testWords.powerHint}</p>
    </TestCard>
  );
};

export const PartTest = ({ part }: { readonly part: TestablePart }) => {
  switch (part.kind) {
    case 'gadget':
      return <GadgetTest part={part} />;
    case 'output':
      return <OutputTest part={part} />;
    case 'feedback':
      return <FeedbackTest part={part} />;
    case 'reader':
      return <ReaderTest part={part} />;
    case 'keypad':
      return <KeypadTest part={part} />;
    case 'input':
      return <InputTest part={part} />;
    case 'power':
      return <PowerTest part={part} />;
  }
};
