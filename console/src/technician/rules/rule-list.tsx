import { useMemo, useState } from 'preact/hooks';
import type { Names } from '../frame/names.ts';
import { Field } from '../frame/field.tsx';
import * as ruleWords from '../words/english/rule-words.ts';
import { noteWords, RuleEditor } from './rule-editor.tsx';
import { codeInstead, type RuleNote, type RuleNotes } from './rule-notes.ts';
import { ruleSentence } from './rule-sentence.ts';
import type { Destination, DraftRule } from './rule.ts';

const MANY = 12;

interface RowProps {
  readonly rules: readonly DraftRule[];
  readonly index: number;
  readonly notes: readonly RuleNote[];
  readonly names: Names;
  readonly isElsewhere: boolean;
  readonly isLit: boolean;
  readonly open: () => void;
}

const Sentence = ({ rule, names }: { readonly rule: DraftRule; readonly names: Names }) => {
  const sentence = ruleSentence(rule, names);
  if (rule.code === '') return <>{sentence}</>;
  const at = sentence.indexOf(rule.code);
  return (
    <>
      {sentence.slice(0, at)}
      <kbd>{rule.code}</kbd>
      {sentence.slice(at + rule.code.length)}
    </>
  );
};

/** One line that can be read aloud; pressed, it opens. */
const Row = ({ rules, index, notes, names, isElsewhere, isLit, open }: RowProps) => {
  const rule = rules[index]!;
  const instead = notes.length === 0 ? null : codeInstead(rules, index);
  return (
    <button
      type="button"
      class="rule-line"
      id={`rule-${rule.key}`}
      aria-expanded="false"
      aria-describedby={notes.length === 0 ? undefined : `notes-${rule.key}`}
      data-is-lit={isLit ? '' : undefined}
      onClick={open}
    >
      <span>
        <Sentence rule={rule} names={names} />
      </span>
      {rule.code === '' ? <span class="badge">{ruleWords.isDefault}</span> : null}
      {isElsewhere ? <span class="badge">{ruleWords.elsewhere}</span> : null}
      {notes.length === 0 ? null : (
        <span id={`notes-${rule.key}`} class="wrong small">
          {noteWords(notes[0]!, rules, rule.code)}
          {instead === null || instead === rule.code ? '' : ` ${ruleWords.would(instead)}`}
        </span>
      )}
    </button>
  );
};

const nothing: readonly RuleNote[] = [];

interface RuleListProps {
  readonly rules: readonly DraftRule[];
  readonly notes: RuleNotes;
  readonly names: Names;
  readonly destinations: readonly Destination[];
  readonly isLit: (rule: DraftRule) => boolean;
  readonly openKey: number | null;
  readonly open: (key: number | null) => void;
  readonly edit: (rules: readonly DraftRule[], field?: string) => void;
}

/** Drawn anew only where something about it has changed: two hundred rules stay quick under the finger. */
const Item = ({
  list,
  index,
  isLit,
}: {
  readonly list: RuleListProps;
  readonly index: number;
  readonly isLit: boolean;
}) => {
  const { rules, notes, names, destinations, openKey, open, edit } = list;
  const rule = rules[index]!;
  const own = notes.get(index) ?? nothing;
  const isOpen = openKey === rule.key;
  const isElsewhere = destinations.find(({ gadget_id }) => gadget_id === rule.gadget_id)?.is_own === false;
  const drawn = useMemo(
    () =>
      isOpen ? null : <Row {...{ rules, index, names, isElsewhere, isLit }} notes={own} open={() => open(rule.key)} />,
    [rule, JSON.stringify(own), names, isElsewhere, isLit, isOpen, index, own.length === 0 ? null : rules],
  );
  return (
    <li class="rule" data-is-wrong={own.length > 0 ? '' : undefined} data-is-open={isOpen ? '' : undefined}>
      {drawn ?? (
        <RuleEditor
          {...{ rules, index, destinations }}
          notes={own}
          change={(changed, field) => edit(rules.with(index, changed), field === '' ? undefined : field)}
          remove={() => {
            open(null);
            edit(rules.toSpliced(index, 1));
          }}
          close={() => {
            open(null);
            // The reader's place is where it was before the rule was opened.
            setTimeout(() => document.getElementById(`rule-${rule.key}`)?.focus());
          }}
        />
      )}
    </li>
  );
};

export const RuleList = (list: RuleListProps) => {
  const { rules, names, openKey, isLit } = list;
  const [wanted, setWanted] = useState('');
  const sought = wanted.trim().toLowerCase();
  const isShown = (rule: DraftRule): boolean =>
    sought === '' || rule.key === openKey || ruleSentence(rule, names).toLowerCase().includes(sought);
  return (
    <>
      {rules.length < MANY ? null : (
        <Field id="find" label={ruleWords.find}>
          {described => (
            <input
              {...described}
              type="search"
              value={wanted}
              autocomplete="off"
              onInput={event => setWanted(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <ul class="rules">
        {rules.map((rule, index) =>
          isShown(rule) ? <Item key={rule.key} list={list} index={index} isLit={isLit(rule)} /> : null,
        )}
      </ul>
    </>
  );
};
