import type { TechnicianTests, TestEntry } from '@lintel/wire-protocol/technician/tests';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../frame/field.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import { type Mood, StateMark } from '../frame/state-mark.tsx';
import { useOrder } from '../frame/use-order.ts';
import { momentWords } from '../words/times.ts';
import * as testWords from '../words/english/test-words.ts';

type Result = 'passed' | 'failed' | 'skipped';

const moods: Readonly<Record<string, Mood>> = { passed: 'good', failed: 'wrong', skipped: 'look' };

export const resultWords = (entry: TestEntry | undefined): string => {
  if (entry === undefined) return testWords.untested;
  return entry.result === null ? testWords.tried : entry.result;
};

const useJudgement = (id: string) => {
  const { tests } = useWhatIsKnown();
  const { order, isBusy } = useOrder();
  const entry = tests.value?.data.find(one => one.id === id);
  const judge = async (result: Result, note: string): Promise<void> => {
    const body = { id, result, ...(note.trim() === '' ? {} : { note: note.trim() }) };
    const answer = await order<TechnicianTests>({ method: 'POST', path: '/tests', body });
    if (answer !== null) await tests.reload();
  };
  return { entry, judge, isBusy };
};

interface TestCardProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** One part: try it, look, judge it. A part that failed can have a note, for whoever comes next. */
export const TestCard = ({ id, title, children }: TestCardProps) => {
  const { entry, judge, isBusy } = useJudgement(id);
  const [note, setNote] = useState<string | null>(null);
  const result = entry?.result ?? null;
  const choice = (value: Result, label: string) => (
    <button
      type="button"
      class="button judge"
      data-result={value}
      aria-label={`${title}: ${label}`}
      aria-pressed={result === value}
      aria-disabled={isBusy}
      onClick={() => void judge(value, note ?? entry?.note ?? '')}
    >
      {label}
    </button>
  );
  return (
    <li class="test" data-result={result ?? undefined}>
      <div class="test-title">
        <StateMark mood={result === null ? 'quiet' : (moods[result] ?? 'quiet')} />
        <div>
          <h3>{title}</h3>
          <p class="quiet small">
            {resultWords(entry)}
            {entry === undefined ? '' : `, ${momentWords(entry.at)}`}
          </p>
          {entry?.seen == null || entry.seen.ok ? null : <p class="wrong small">{testWords.seen(entry.seen.what)}</p>}
        </div>
      </div>
      {children}
      <div class="judgement">
        {choice('passed', testWords.pass)}
        {choice('failed', testWords.fail)}
        {choice('skipped', testWords.skip)}
      </div>
      {result === 'failed' ? (
        <Field id={`note-${id}`} label={testWords.noteFor(title)}>
          {described => (
            <input
              {...described}
              value={note ?? entry?.note ?? ''}
              maxlength={500}
              onInput={event => setNote(event.currentTarget.value)}
              onChange={() => void judge('failed', note ?? '')}
            />
          )}
        </Field>
      ) : null}
    </li>
  );
};
