import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { haveSameRules, toDraftRules, type DraftRule, toSavedRule, type SavedRule } from '../rule.ts';
import { createDraftHistory, type DraftHistory, addDraftEdit, redoDraftEdit, undoDraftEdit } from './draft-history.ts';
import { readStoredRuleDraft, storeRuleDraft } from './stored-draft.ts';

/** The active rules, as the controller or the bridge returns them. */
export type EditableRules = Pick<
  TechnicianRules,
  'device_id' | 'input_rules' | 'base' | 'provisional' | 'destinations'
>;

interface RulesResource<T extends EditableRules> {
  readonly value: T | null;
  readonly setValue: (value: T) => void;
}

interface Draft {
  readonly base: string;
  readonly before: readonly SavedRule[];
  readonly history: DraftHistory;
}

export interface InputRulesDraft {
  /** The draft, or the active rules without a draft. */
  readonly rules: readonly DraftRule[];
  /** Whether the draft differs from the active rules. */
  readonly isDirty: boolean;
  /** Whether the active rules have changed since the draft was started from `before`. */
  readonly isOutdated: boolean;
  readonly before: readonly SavedRule[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly edit: (rules: readonly DraftRule[], field?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly discard: () => void;
  /** Resolves a conflict: `rules` become the draft, based on the active rules `current`. */
  readonly resolve: (current: EditableRules, rules: readonly SavedRule[]) => void;
  /** Ends the draft after it was applied, at first on trial. */
  readonly onApplied: (response: EditableRules) => void;
}

/** The rules on trial. They become the draft again when they are reverted. */
interface Trial {
  readonly rules: readonly DraftRule[];
  readonly previous: readonly SavedRule[];
}

const controllerOf = ({ device_id }: EditableRules): string => device_id ?? 'unclaimed';

const useStoredDraft = (value: EditableRules | null) => {
  const [draft, setDraft] = useState<Draft | null>(null);
  const controller = value === null ? null : controllerOf(value);
  useEffect(() => {
    const stored = controller === null ? null : readStoredRuleDraft(() => localStorage, controller);
    setDraft(
      stored === null ? null : { base: stored.base, before: stored.before, history: createDraftHistory(stored.rules) },
    );
  }, [controller]);
  const store = (next: Draft | null): void => {
    if (controller === null) return;
    const stored = next === null ? null : { base: next.base, before: next.before, rules: next.history.present };
    storeRuleDraft(() => localStorage, controller, stored);
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

export const useRuleDraftState = <T extends EditableRules>({ value, setValue }: RulesResource<T>): InputRulesDraft => {
  const { draft, replaceDraft, hideDraft } = useStoredDraft(value);
  const trial = useRef<Trial | null>(null);
  const activeRules = value?.input_rules ?? [];
  const start = (): Draft => ({
    base: value?.base ?? '',
    before: activeRules,
    history: createDraftHistory(toDraftRules(activeRules)),
  });

  useEffect(() => {
    if (value === null || value.provisional !== null) return;
    if (trial.current === null) {
      // The page was reloaded during the trial, or another technician made the same change.
      if (draft !== null && haveSameRules(draft.history.present, value.input_rules) && draft.base !== value.base)
        replaceDraft(null);
      return;
    }
    const { rules, previous } = trial.current;
    trial.current = null;
    if (draft !== null) return;
    const isReverted = haveSameRules(value.input_rules, previous) && !haveSameRules(rules, previous);
    const fresh = start();
    replaceDraft(isReverted ? { ...fresh, history: addDraftEdit(fresh.history, rules, null) } : null);
  }, [value]);

  const change = (history: DraftHistory | null): void => {
    if (history !== null) replaceDraft({ ...(draft ?? start()), history });
  };
  // Memoized, so that unchanged rules are not rendered again.
  const unedited = useMemo(() => toDraftRules(activeRules), [value?.base]);
  const rules = draft?.history.present ?? unedited;
  const isDirty = draft !== null && !haveSameRules(rules, activeRules);
  return {
    rules,
    isDirty,
    isOutdated: isDirty && value !== null && draft.base !== value.base && !haveSameRules(draft.before, activeRules),
    before: draft?.before ?? activeRules,
    canUndo: draft !== null && draft.history.past.length > 0,
    canRedo: draft !== null && draft.history.future.length > 0,
    edit: (next, field) => change(addDraftEdit((draft ?? start()).history, next, field ?? null)),
    undo: () => change(draft === null ? null : undoDraftEdit(draft.history)),
    redo: () => change(draft === null ? null : redoDraftEdit(draft.history)),
    discard: () => replaceDraft(null),
    resolve: (current, chosen) => {
      setValue(current as T);
      const history = draft?.history ?? createDraftHistory(toDraftRules(current.input_rules));
      replaceDraft({
        base: current.base,
        before: current.input_rules,
        history: addDraftEdit(history, toDraftRules(chosen), null),
      });
    },
    onApplied: response => {
      const { provisional } = response;
      trial.current =
        provisional === null ? null : { rules: toDraftRules(rules.map(toSavedRule)), previous: provisional.previous };
      if (provisional === null || draft === null) replaceDraft(null);
      else hideDraft(draft);
      setValue(response as T);
    },
  };
};

const RuleDraftContext = createContext<InputRulesDraft | null>(null);
export const RuleDraftProvider = RuleDraftContext.Provider;

export const useRuleDraft = (): InputRulesDraft => {
  const draft = useContext(RuleDraftContext);
  if (draft === null) throw new Error('RuleDraftProvider is missing');
  return draft;
};
