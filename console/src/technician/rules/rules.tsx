import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { useWhatIsKnown } from '../frame/known.ts';
import { useNames } from '../frame/use-names.ts';
import { useOrder } from '../frame/use-order.ts';
import { isRefusedWith } from '../link/answer.ts';
import { useSame } from '../link/use-same.ts';
import { useHearing } from '../link/use-visit.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as overviewWords from '../words/english/overview-words.ts';
import * as changedWords from '../words/english/changed-words.ts';
import * as ruleWords from '../words/english/rule-words.ts';
import { ChangedMeanwhile, CloudConflict } from './conflicts.tsx';
import { Copying } from './copying.tsx';
import { nextKey } from './draft-history.ts';
import { FileButtons } from './file-buttons.tsx';
import { Keypad } from './keypad.tsx';
import { idlePreview, type Preview, previewRules, selectedCodes } from './keypad-preview.ts';
import { idleKeypads, keypadsAfter, type RealKeypad } from './real-keypads.ts';
import { RuleList } from './rule-list.tsx';
import { freeCode, notesOn } from './rule-notes.ts';
import { type DraftRule, plainRule } from './rule.ts';
import { useDraft } from './use-draft.ts';

const CONFIRM_S = 120;

const useRealKeypads = (): readonly RealKeypad[] => {
  const { status } = useWhatIsKnown();
  const stations = status.value?.stations ?? [];
  const [keypads, setKeypads] = useState<readonly RealKeypad[]>([]);
  const known = stations.map(({ id }) => id).join();
  useEffect(() => setKeypads(idleKeypads(stations)), [known]);
  useHearing(what => setKeypads(before => keypadsAfter(before, what)));
  return keypads;
};

const useUndoKeys = (undo: () => void, redo: () => void): void => {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
};

/** What stands for the list while it is empty, which is a rule, too. */
const NoRules = ({ value }: { readonly value: TechnicianRules }) => (
  <div class="no-rules">
    <p>
      <strong>{ruleWords.none}</strong>
    </p>
    <p class="quiet">{ruleWords.noneMeans(value.destinations.find(({ is_own }) => is_own)?.name ?? null)}</p>
  </div>
);

const useApply = () => {
  const { rules } = useWhatIsKnown();
  const desk = useDraft();
  const { order, isBusy } = useOrder();
  const apply = async (): Promise<void> => {
    const answer = await order<TechnicianRules>(
      {
        method: 'PUT',
        path: '/input_rules',
        body: { input_rules: desk.rules.map(plainRule), base: rules.value?.base, confirm_within_s: CONFIRM_S },
      },
      failed => {
        if (failed.ok || !isRefusedWith(failed.failure, 409, 'changed_meanwhile')) return null;
        void rules.reload();
        return changedWords.heading;
      },
    );
    if (answer !== null) desk.applied(answer);
  };
  return { apply, isBusy };
};

interface ApplyBarProps {
  readonly problems: number;
  /** Out of the way while somebody types. */
  readonly isResting: boolean;
}

const ApplyBar = ({ problems, isResting }: ApplyBarProps) => {
  const desk = useDraft();
  const { apply, isBusy } = useApply();
  return (
    <section class="card apply-bar" data-is-resting={isResting ? '' : undefined} aria-label={ruleWords.unsaved}>
      <p>
        <strong>{ruleWords.unsaved}</strong>{' '}
        {problems > 0 ? (
          <span class="wrong">{ruleWords.problems(problems)}</span>
        ) : (
          <span class="quiet small">{ruleWords.applyHint}</span>
        )}
      </p>
      <div class="bar">
        <Press
          look="primary"
          icon={shapes.check}
          isOff={problems > 0 || isBusy || desk.isOvertaken}
          press={() => void apply()}
        >
          {isBusy ? ruleWords.applying : ruleWords.apply}
        </Press>
        <Press press={desk.discard}>{ruleWords.discard}</Press>
      </div>
    </section>
  );
};

const RulesOf = ({ value }: { readonly value: TechnicianRules }) => {
  const { status } = useWhatIsKnown();
  const desk = useDraft();
  const names = useNames();
  const keypads = useRealKeypads();
  const [openKey, open] = useState<number | null>(null);
  const [preview, setPreview] = useState<Preview>(idlePreview);
  const destinations = useSame(value.destinations);
  const form = JSON.stringify(desk.rules);
  const notes = useMemo(() => notesOn(desk.rules, destinations), [form, destinations]);
  const compiled = useMemo(() => previewRules(desk.rules, notes), [notes]);
  useUndoKeys(desk.undo, desk.redo);
  const selected = selectedCodes(compiled, preview);
  const isLit = ({ code, gadget_id, action_id }: DraftRule): boolean =>
    selected.includes(code) ||
    (preview.state.entry.phase === 'idle' && preview.firedCode === code) ||
    keypads.some(({ rule }) => rule?.gadget_id === gadget_id && rule.action_id === action_id);
  const add = (): void => {
    const key = nextKey(desk.rules);
    const [first] = destinations;
    const target = { gadget_id: first?.gadget_id ?? '', action_id: first?.actions[0]?.id ?? '' };
    desk.edit([...desk.rules, { key, code: freeCode(desk.rules), ...target }]);
    open(key);
  };
  return (
    <div class="columns rules-screen">
      <div class="column">
        <CloudConflict />
        <ChangedMeanwhile />
        <section class="card panel" aria-labelledby="rules">
          <div class="title-line">
            <h1 id="rules">{ruleWords.heading}</h1>
            <span class="quiet small">{ruleWords.count(desk.rules.length)}</span>
          </div>
          <p class="quiet">{ruleWords.intro}</p>
          {value.pending ? (
            <p class="mark">
              <strong>{ruleWords.pending}.</strong> {ruleWords.pendingHint}
            </p>
          ) : null}
          {destinations.length === 0 ? (
            <p class="mark">
              {overviewWords.gadgets}: {overviewWords.noGadgets}
            </p>
          ) : null}
          {desk.rules.length === 0 ? <NoRules value={value} /> : null}
          <RuleList {...{ rules: desk.rules, notes, names, destinations, isLit, openKey, open, edit: desk.edit }} />
          <div class="bar">
            <Press icon={shapes.plus} press={add}>
              {ruleWords.add}
            </Press>
            <Press look="plain" icon={shapes.undo} label={ruleWords.undo} isOff={!desk.canUndo} press={desk.undo} />
            <Press look="plain" icon={shapes.redo} label={ruleWords.redo} isOff={!desk.canRedo} press={desk.redo} />
            <FileButtons desk={desk} name={status.value?.name ?? 'lintel'} />
          </div>
        </section>
        {desk.isDirty ? <ApplyBar problems={notes.size} isResting={openKey !== null} /> : null}
        <Copying />
      </div>
      <Keypad
        rules={compiled}
        leftOut={notes.size}
        preview={preview}
        become={setPreview}
        keypads={keypads}
        named={names}
      />
    </div>
  );
};

export const Rules = () => {
  const { rules } = useWhatIsKnown();
  return rules.value === null ? <p class="quiet">{frameWords.loading}</p> : <RulesOf value={rules.value} />;
};
