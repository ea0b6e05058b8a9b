import { useEffect, useRef } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { Field } from '../frame/field.tsx';
import * as ruleWords from '../words/english/rule-words.ts';
import { codeInstead, type RuleNote } from './rule-notes.ts';
import type { Destination, DraftRule } from './rule.ts';

export const noteWords = (note: RuleNote, rules: readonly DraftRule[], code: string): string => {
  const notes = ruleWords.notes;
  switch (note.kind) {
    case 'conflict': {
      const other = rules[note.other]?.code ?? '';
      return note.relation === 'same' ? notes.same(code) : notes[note.relation](code, other);
    }
    case 'default_beside_digits':
      return notes.default_beside_digits(rules[note.other]?.code ?? '');
    default:
      return notes[note.kind];
  }
};

const isAboutCode = ({ kind }: RuleNote): boolean => kind !== 'no_gadget' && kind !== 'no_action';

const Destinations = ({ destinations }: { readonly destinations: readonly Destination[] }) => {
  const group = (isOwn: boolean) => destinations.filter(({ is_own }) => is_own === isOwn);
  const options = (some: readonly Destination[]) =>
    some.map(({ gadget_id, name }) => (
      <option key={gadget_id} value={gadget_id}>
        {name}
      </option>
    ));
  return (
    <>
      <option value="">{ruleWords.chooseGadget}</option>
      <optgroup label={ruleWords.own}>{options(group(true))}</optgroup>
      {group(false).length === 0 ? null : <optgroup label={ruleWords.others}>{options(group(false))}</optgroup>}
    </>
  );
};

interface RuleEditorProps {
  readonly rules: readonly DraftRule[];
  readonly index: number;
  readonly notes: readonly RuleNote[];
  readonly destinations: readonly Destination[];
  readonly change: (rule: DraftRule, field: string) => void;
  readonly remove: () => void;
  readonly close: () => void;
}

/** One rule opened. What is wrong is said while it is typed, with a way out beside it. */
export const RuleEditor = ({ rules, index, notes, destinations, change, remove, close }: RuleEditorProps) => {
  const rule = rules[index]!;
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => {
    code.current?.focus();
    code.current?.setSelectionRange(rule.code.length, rule.code.length);
  }, []);
  const about = notes.filter(isAboutCode);
  const elsewhere = notes.filter(note => !isAboutCode(note));
  const instead = about.length === 0 ? null : codeInstead(rules, index);
  const actions = destinations.find(({ gadget_id }) => gadget_id === rule.gadget_id)?.actions ?? [];
  const toGadget = (gadget_id: string): void => {
    const first = destinations.find(one => one.gadget_id === gadget_id)?.actions[0]?.id ?? '';
    change({ ...rule, gadget_id, action_id: first }, `gadget ${rule.key}`);
  };
  return (
    <div class="rule-editor">
      <Field
        id={`code-${rule.key}`}
        label={ruleWords.code}
        hint={ruleWords.codeHint}
        error={about.length === 0 ? null : about.map(note => noteWords(note, rules, rule.code)).join(' ')}
      >
        {described => (
          <input
            {...described}
            ref={code}
            class="big-code"
            value={rule.code}
            maxlength={40}
            inputmode="tel"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={about.length > 0}
            onInput={event =>
              change({ ...rule, code: event.currentTarget.value.replaceAll(/\s/g, '') }, `code ${rule.key}`)
            }
            onKeyDown={event => {
              if (event.key === 'Enter') close();
            }}
          />
        )}
      </Field>
      {instead === null || instead === rule.code ? null : (
        <Press icon={shapes.check} press={() => change({ ...rule, code: instead }, '')}>
          {ruleWords.use(instead)}
        </Press>
      )}
      <div class="pair">
        <Field
          id={`gadget-${rule.key}`}
          label={ruleWords.gadget}
          error={elsewhere.some(({ kind }) => kind === 'no_gadget') ? ruleWords.notes.no_gadget : null}
        >
          {described => (
            <select {...described} value={rule.gadget_id} onChange={event => toGadget(event.currentTarget.value)}>
              <Destinations destinations={destinations} />
            </select>
          )}
        </Field>
        <Field
          id={`action-${rule.key}`}
          label={ruleWords.action}
          error={elsewhere.some(({ kind }) => kind === 'no_action') ? ruleWords.notes.no_action : null}
        >
          {described => (
            <select
              {...described}
              value={rule.action_id}
              onChange={event => change({ ...rule, action_id: event.currentTarget.value }, `action ${rule.key}`)}
            >
              {actions.some(({ id }) => id === rule.action_id) ? null : (
                <option value={rule.action_id}>{ruleWords.chooseGadget}</option>
              )}
              {actions.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div class="bar">
        <Press look="primary" press={close}>
          {ruleWords.done}
        </Press>
        <Press icon={shapes.bin} press={remove}>
          {ruleWords.remove}
        </Press>
      </div>
    </div>
  );
};
