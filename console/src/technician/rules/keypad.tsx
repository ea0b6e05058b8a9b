import type { CompiledInputRules } from '@lintel/access-core/input-rules-compiled';
import type { Key } from '@lintel/access-core/key-entry-model';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import type { Names } from '../frame/names.ts';
import * as previewWords from '../words/english/preview-words.ts';
import {
  afterCard,
  afterKey,
  afterPause,
  idlePreview,
  pauseUntil,
  type Preview,
  selectedCodes,
} from './keypad-preview.ts';
import type { RealKeypad } from './real-keypads.ts';
import { deedOf } from './rule-sentence.ts';

const keys: readonly Key[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];
const isKey = (key: string): key is Key => (keys as readonly string[]).includes(key);
const names: Readonly<Record<string, string>> = { '*': previewWords.star, '#': previewWords.hash };

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const deedWords = (rules: CompiledInputRules, code: string | null, named: Names): string => {
  const rule = code === null ? undefined : rules.rules.find(one => one.code === code);
  return rule === undefined ? previewWords.firstGadget : capital(deedOf(rule, named));
};

const displayWords = (rules: CompiledInputRules, preview: Preview, named: Names): string => {
  const { state, outcome, firedCode } = preview;
  const { entry } = state;
  if (entry.phase === 'armed') {
    const { destination, digits } = entry;
    if (destination.kind === 'first_gadget') return previewWords.first(digits.length);
    return previewWords.armed(capital(deedOf(destination.rule, named)), digits.length);
  }
  if (entry.phase === 'code') return previewWords.possible(entry.typed, selectedCodes(rules, preview).length);
  switch (outcome) {
    case null:
      return previewWords.idle;
    case 'fired':
      return previewWords.fired(deedWords(rules, firedCode, named));
    case 'card':
      return previewWords.cardDone(deedWords(rules, firedCode, named));
    default:
      return previewWords.endings[outcome];
  }
};

const RealKeypads = ({ keypads, named }: { readonly keypads: readonly RealKeypad[]; readonly named: Names }) => (
  <ul class="real-keypads">
    {keypads.map(({ station, phase, rule, typed }) => (
      <li key={station} data-is-busy={phase === 'idle' ? undefined : ''}>
        <strong>{previewWords.real(station)}</strong>{' '}
        {phase === 'idle'
          ? previewWords.realIdle
          : phase === 'code'
            ? previewWords.realCode(typed)
            : previewWords.realArmed(rule === null ? previewWords.firstGadget : capital(deedOf(rule, named)))}
      </li>
    ))}
  </ul>
);

interface KeypadProps {
  readonly rules: CompiledInputRules;
  readonly leftOut: number;
  readonly preview: Preview;
  readonly become: (preview: Preview) => void;
  readonly keypads: readonly RealKeypad[];
  readonly named: Names;
}

/** A keypad to play with: it goes by the rules on the screen, and by the same code as the one on the wall. */
export const Keypad = ({ rules, leftOut, preview, become, keypads, named }: KeypadProps) => {
  const due = pauseUntil(preview);
  useEffect(() => {
    if (due === null) return;
    const timer = setTimeout(() => become(afterPause(rules, preview, performance.now())), due - performance.now() + 5);
    return () => clearTimeout(timer);
  }, [due, rules, preview]);
  useEffect(() => become(idlePreview), [rules]);
  const press = (key: Key): void => become(afterKey(rules, preview, key, performance.now()));
  return (
    <section class="card panel preview" aria-labelledby="preview">
      <h2 id="preview">{previewWords.heading}</h2>
      <p class="quiet small">{previewWords.hint}</p>
      <div
        class="keypad"
        role="group"
        aria-label={previewWords.heading}
        onKeyDown={event => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && isKey(event.key)) press(event.key);
        }}
      >
        <p class="display" role="status">
          {displayWords(rules, preview, named)}
        </p>
        {keys.map(key => (
          <button key={key} type="button" class="key" aria-label={names[key]} onClick={() => press(key)}>
            {key}
          </button>
        ))}
        <button type="button" class="key card-key" onClick={() => become(afterCard(rules, preview, performance.now()))}>
          <Icon shape={shapes.wave} />
          {previewWords.card}
        </button>
      </div>
      {leftOut === 0 ? null : <p class="wrong small">{previewWords.skipped(leftOut)}</p>}
      <RealKeypads keypads={keypads} named={named} />
    </section>
  );
};
