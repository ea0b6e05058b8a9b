import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Reading } from '../link/use-visit.ts';
import { type DraftHistory, edited, historyOf, redone, undone } from './draft-history.ts';
import { keepDraft, readDraft } from './kept-draft.ts';
import { areSameRules, draftOf, type DraftRule, plainRule, type Rule } from './rule.ts';

interface Draft {
  readonly base: string;
  readonly before: readonly Rule[];
  readonly history: DraftHistory;
}

export interface DraftDesk {
  /** What is on the screen: the draft, or the rules in force where nothing is being edited. */
  readonly rules: readonly DraftRule[];
  /** Differs from what is in force. */
  readonly isDirty: boolean;
  /** Somebody else has changed what the draft began from, which was `before`. */
  readonly isOvertaken: boolean;
  readonly before: readonly Rule[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly edit: (rules: readonly DraftRule[], field?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Back to what is in force. */
  readonly discard: () => void;
  /** The rules in force are seen: the draft, or `rules` in its place, is meant to follow them. */
  readonly settle: (inForce: TechnicianRules, rules: readonly Rule[]) => void;
  /** They are in force now, perhaps on trial only. */
  readonly applied: (answer: TechnicianRules) => void;
}

/** What was applied on trial, so that an edit that went back can be mended instead of made again. */
interface Trial {
  readonly rules: readonly DraftRule[];
  readonly previous: readonly Rule[];
}

const controllerOf = ({ device_id }: TechnicianRules): string => device_id ?? 'unclaimed';

const useKeptDraft = (value: TechnicianRules | null) => {
  const [draft, setDraft] = useState<Draft | null>(null);
  const controller = value === null ? null : controllerOf(value);
  useEffect(() => {
    const kept = controller === null ? null : readDraft(() => localStorage, controller);
    setDraft(kept === null ? null : { base: kept.base, before: kept.before, history: historyOf(kept.rules) });
  }, [controller]);
  const store = (next: Draft | null): void => {
    if (controller === null) return;
    const kept = next === null ? null : { base: next.base, before: next.before, rules: next.history.present };
    keepDraft(() => localStorage, controller, kept);
  };
  const keep = (next: Draft | null): void => {
    setDraft(next);
    store(next);
  };
  /** Not on the screen any more, and still there should the page be loaded again. */
  const setAside = (next: Draft): void => {
    setDraft(null);
    store(next);
  };
  return { draft, keep, setAside };
};

export const useDraftDesk = ({ value, put }: Reading<TechnicianRules>): DraftDesk => {
  const { draft, keep, setAside } = useKeptDraft(value);
  const trial = useRef<Trial | null>(null);
  const inForce = value?.input_rules ?? [];
  const start = (): Draft => ({ base: value?.base ?? '', before: inForce, history: historyOf(draftOf(inForce)) });

  useEffect(() => {
    if (value === null || value.provisional !== null) return;
    if (trial.current === null) {
      // Of a page that was loaded again in the middle of a trial, or made elsewhere just so.
      if (draft !== null && areSameRules(draft.history.present, value.input_rules) && draft.base !== value.base)
        keep(null);
      return;
    }
    const { rules, previous } = trial.current;
    trial.current = null;
    if (draft !== null) return;
    const isBack = areSameRules(value.input_rules, previous) && !areSameRules(rules, previous);
    const began = { base: value.base, before: value.input_rules, history: historyOf(draftOf(value.input_rules)) };
    keep(isBack ? { ...began, history: edited(began.history, rules, null) } : null);
  }, [value]);

  const change = (history: DraftHistory | null): void => {
    if (history !== null) keep({ ...(draft ?? start()), history });
  };
  // The same objects for the same rules, so that what shows them need not be drawn again.
  const held = useMemo(() => draftOf(inForce), [value?.base]);
  const rules = draft?.history.present ?? held;
  const isDirty = draft !== null && !areSameRules(rules, inForce);
  return {
    rules,
    isDirty,
    isOvertaken: isDirty && value !== null && draft.base !== value.base && !areSameRules(draft.before, inForce),
    before: draft?.before ?? inForce,
    canUndo: draft !== null && draft.history.past.length > 0,
    canRedo: draft !== null && draft.history.future.length > 0,
    edit: (next, field) => change(edited((draft ?? start()).history, next, field ?? null)),
    undo: () => change(draft === null ? null : undone(draft.history)),
    redo: () => change(draft === null ? null : redone(draft.history)),
    discard: () => keep(null),
    settle: (seen, chosen) => {
      put(seen);
      const history = draft?.history ?? historyOf(draftOf(seen.input_rules));
      keep({ base: seen.base, before: seen.input_rules, history: edited(history, draftOf(chosen), null) });
    },
    applied: answer => {
      const { provisional } = answer;
      trial.current =
        provisional === null ? null : { rules: draftOf(rules.map(plainRule)), previous: provisional.previous };
      if (provisional === null || draft === null) keep(null);
      else setAside(draft);
      put(answer);
    },
  };
};

const DraftContext = createContext<DraftDesk | null>(null);
export const DraftProvider = DraftContext.Provider;

export const useDraft = (): DraftDesk => {
  const desk = useContext(DraftContext);
  if (desk === null) throw new Error('a screen outside of the page');
  return desk;
};
