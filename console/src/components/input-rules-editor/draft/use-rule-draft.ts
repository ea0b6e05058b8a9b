import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  areSameInputRules,
  toDraftInputRules,
  type DraftInputRule,
  toSavedInputRule,
  type SavedInputRule,
} from '../draft-input-rule.ts';
import {
  createInputRulesDraftHistory,
  type InputRulesDraftHistory,
  addInputRulesDraftEdit,
  redoInputRulesDraftEdit,
  undoInputRulesDraftEdit,
} from './draft-history.ts';
import { readStoredInputRulesDraft, storeInputRulesDraft } from './stored-draft.ts';

/** The active rules, as the controller or the bridge returns them. */
export type EditableInputRules = Pick<
  TechnicianInputRulesResponse,
  'device_id' | 'input_rules' | 'base' | 'provisional' | 'destinations'
>;

interface RulesResource<T extends EditableInputRules> {
  readonly value: T | null;
  readonly setValue: (value: T) => void;
}

interface Draft {
  readonly base: string;
  readonly before: readonly SavedInputRule[];
  readonly history: InputRulesDraftHistory;
}

export interface InputRulesDraft {
  /** The draft, or the active rules without a draft. */
  readonly rules: readonly DraftInputRule[];
  /** Whether the draft differs from the active rules. */
  readonly isDirty: boolean;
  /** Whether the active rules have changed since the draft was started from `before`. */
  readonly isOutdated: boolean;
  readonly before: readonly SavedInputRule[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly edit: (rules: readonly DraftInputRule[], field?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly discard: () => void;
  /** Resolves a conflict: `rules` become the draft, based on the active rules `current`. */
  readonly resolve: (current: EditableInputRules, rules: readonly SavedInputRule[]) => void;
  /** Ends the draft after it was applied, at first on trial. */
  readonly onApplied: (response: EditableInputRules) => void;
}

/** The rules on trial. They become the draft again when they are reverted. */
interface Trial {
  readonly rules: readonly DraftInputRule[];
  readonly previous: readonly SavedInputRule[];
}

const controllerOf = ({ device_id }: EditableInputRules): string => device_id ?? 'unclaimed';

const useStoredDraft = (value: EditableInputRules | null) => {
  const [draft, setDraft] = useState<Draft | null>(null);
  const controller = value === null ? null : controllerOf(value);
  useEffect(() => {
    const stored = controller === null ? null : readStoredInputRulesDraft(() => localStorage, controller);
    setDraft(
      stored === null
        ? null
        : { base: stored.base, before: stored.before, history: createInputRulesDraftHistory(stored.rules) },
    );
  }, [controller]);
  const store = (next: Draft | null): void => {
    if (controller === null) return;
    const stored = next === null ? null : { base: next.base, before: next.before, rules: next.history.present };
    storeInputRulesDraft(() => localStorage, controller, stored);
  };
  const replaceDraft = (next: Draft | null): void => {
    setDraft(next);
    store(next);
  };
  /** Removes the draft from the screen and keeps it in the storage for a reload during the trial. */
  const hideDraft = (hidden: Draft): void => {
    setDraft(null);
    store(hidden);
  };
  return { draft, replaceDraft, hideDraft };
};

export const useInputRulesDraftState = <T extends EditableInputRules>({
  value,
  setValue,
}: RulesResource<T>): InputRulesDraft => {
  const { draft, replaceDraft, hideDraft } = useStoredDraft(value);
  const trial = useRef<Trial | null>(null);
  const activeRules = value?.input_rules ?? [];
  const start = (): Draft => ({
    base: value?.base ?? '',
    before: activeRules,
    history: createInputRulesDraftHistory(toDraftInputRules(activeRules)),
  });

  useEffect(() => {
    if (value === null || value.provisional !== null) return;
    if (trial.current === null) {
      // The page was reloaded during the trial, or another technician made the same change.
      if (draft !== null && areSameInputRules(draft.history.present, value.input_rules) && draft.base !== value.base)
        replaceDraft(null);
      return;
    }
    const { rules, previous } = trial.current;
    trial.current = null;
    if (draft !== null) return;
    const isReverted = areSameInputRules(value.input_rules, previous) && !areSameInputRules(rules, previous);
    const fresh = start();
    replaceDraft(isReverted ? { ...fresh, history: addInputRulesDraftEdit(fresh.history, rules, null) } : null);
  }, [value]);

  const change = (history: InputRulesDraftHistory | null): void => {
    if (history !== null) replaceDraft({ ...(draft ?? start()), history });
  };
  // Memoized, so that unchanged rules are not rendered again.
  const unedited = useMemo(() => toDraftInputRules(activeRules), [value?.base]);
  const rules = draft?.history.present ?? unedited;
  const isDirty = draft !== null && !areSameInputRules(rules, activeRules);
  return {
    rules,
    isDirty,
    isOutdated: isDirty && value !== null && draft.base !== value.base && !areSameInputRules(draft.before, activeRules),
    before: draft?.before ?? activeRules,
    canUndo: draft !== null && draft.history.past.length > 0,
    canRedo: draft !== null && draft.history.future.length > 0,
    edit: (next, field) => change(addInputRulesDraftEdit((draft ?? start()).history, next, field ?? null)),
    undo: () => change(draft === null ? null : undoInputRulesDraftEdit(draft.history)),
    redo: () => change(draft === null ? null : redoInputRulesDraftEdit(draft.history)),
    discard: () => replaceDraft(null),
    resolve: (current, chosen) => {
      setValue(current as T);
      const history = draft?.history ?? createInputRulesDraftHistory(toDraftInputRules(current.input_rules));
      replaceDraft({
        base: current.base,
        before: current.input_rules,
        history: addInputRulesDraftEdit(history, toDraftInputRules(chosen), null),
      });
    },
    onApplied: response => {
      const { provisional } = response;
      trial.current =
        provisional === null
          ? null
          : { rules: toDraftInputRules(rules.map(toSavedInputRule)), previous: provisional.previous };
      if (provisional === null || draft === null) replaceDraft(null);
      else hideDraft(draft);
      setValue(response as T);
    },
  };
};

const RuleDraftContext = createContext<InputRulesDraft | null>(null);
export const InputRulesDraftProvider = RuleDraftContext.Provider;

export const useInputRulesDraft = (): InputRulesDraft => {
  const draft = useContext(RuleDraftContext);
  if (draft === null) throw new Error('InputRulesDraftProvider is missing');
  return draft;
};
