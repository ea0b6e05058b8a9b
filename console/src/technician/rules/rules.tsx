import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useControllerData } from '../state/controller-data.ts';
import { useGadgetNameLookup } from '../state/use-gadget-names.ts';
import { useStableValue } from '../state/use-stable-value.ts';
import { useLiveEvents } from '../api/use-session.ts';
import * as shellMessages from '../messages/english/shell.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as ruleMessages from '../messages/english/rules.ts';
import { ApplyRulesBar } from './apply-bar.tsx';
import { EditConflictBanner, CloudConflictBanner } from './rule-conflicts.tsx';
import { CopyRulesPanel } from './copy/rule-copies.tsx';
import { RuleHistoryPanel } from './rule-history.tsx';
import { nextDraftRuleKey } from './draft/draft-history.ts';
import { RulesFileButtons } from './editor/file-buttons.tsx';
import { KeypadPreview } from './keypad/keypad-preview-view.tsx';
import {
  idleKeypadPreview,
  type KeypadPreviewState,
  compilePreviewRules,
  listMatchingCodes,
} from './keypad/keypad-preview.ts';
import { createIdleLiveKeypads, updateLiveKeypads, type LiveKeypadState } from './keypad/live-keypads.ts';
import { RuleList } from './editor/rule-list.tsx';
import { suggestNewCode, findRuleIssues } from './editor/rule-issues.ts';
import type { DraftRule } from './rule.ts';
import { useRuleDraft } from './draft/use-rule-draft.ts';

const useLiveKeypads = (): readonly LiveKeypadState[] => {
  const { status } = useControllerData();
  const stations = status.value?.stations ?? [];
  const [keypads, setKeypads] = useState<readonly LiveKeypadState[]>([]);
  const stationIds = stations.map(({ id }) => id).join();
  useEffect(() => setKeypads(createIdleLiveKeypads(stations)), [stationIds]);
  useLiveEvents(event => setKeypads(before => updateLiveKeypads(before, event)));
  return keypads;
};

const useUndoKeys = (undo: () => void, redo: () => void): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
};

const NoRules = ({ value }: { readonly value: TechnicianRules }) => (
  <div class="no-rules">
    <p>
      <strong>{ruleMessages.noRules}</strong>
    </p>
    <p class="quiet">{ruleMessages.noRulesHint(value.destinations.find(({ is_own }) => is_own)?.name ?? null)}</p>
  </div>
);

const RulesEditor = ({ value }: { readonly value: TechnicianRules }) => {
  const { status } = useControllerData();
  const draft = useRuleDraft();
  const names = useGadgetNameLookup();
  const keypads = useLiveKeypads();
  const [openKey, open] = useState<number | null>(null);
  const [preview, setPreview] = useState<KeypadPreviewState>(idleKeypadPreview);
  const destinations = useStableValue(value.destinations);
  const serialized = JSON.stringify(draft.rules);
  const issues = useMemo(() => findRuleIssues(draft.rules, destinations), [serialized, destinations]);
  const compiled = useMemo(() => compilePreviewRules(draft.rules, issues), [issues]);
  useUndoKeys(draft.undo, draft.redo);
  const selected = listMatchingCodes(compiled, preview);
  const isHighlighted = ({ code, gadget_id, action_id }: DraftRule): boolean =>
    selected.includes(code) ||
    (preview.state.entry.phase === 'idle' && preview.presentedCode === code) ||
    keypads.some(({ rule }) => rule?.gadget_id === gadget_id && rule.action_id === action_id);
  const add = (): void => {
    const key = nextDraftRuleKey(draft.rules);
    const [first] = destinations;
    const target = { gadget_id: first?.gadget_id ?? '', action_id: first?.actions[0]?.id ?? '' };
    draft.edit([...draft.rules, { key, code: suggestNewCode(draft.rules), ...target }]);
    open(key);
  };
  return (
    <div class="columns rules-screen">
      <div class="column">
        <CloudConflictBanner />
        <EditConflictBanner />
        <section class="card panel" aria-labelledby="rules">
          <div class="title-line">
            <h1 id="rules">{ruleMessages.heading}</h1>
            <span class="quiet small">{ruleMessages.ruleCount(draft.rules.length)}</span>
          </div>
          <p class="quiet">{ruleMessages.intro}</p>
          {value.pending ? (
            <p class="mark">
              <strong>{ruleMessages.rulesNotSynced}.</strong> {ruleMessages.rulesNotSyncedHint}
            </p>
          ) : null}
          {destinations.length === 0 ? (
            <p class="mark">
              {overviewMessages.gadgetsHeading}: {overviewMessages.noGadgetsYet}
            </p>
          ) : null}
          {draft.rules.length === 0 ? <NoRules value={value} /> : null}
          <RuleList
            {...{ rules: draft.rules, issues, names, destinations, isHighlighted, openKey, open, edit: draft.edit }}
          />
          <div class="bar">
            <Button icon={icons.addIcon} onPress={add}>
              {ruleMessages.addRuleButton}
            </Button>
            <Button
              variant="plain"
              icon={icons.undoIcon}
              label={ruleMessages.undoButton}
              isDisabled={!draft.canUndo}
              onPress={draft.undo}
            />
            <Button
              variant="plain"
              icon={icons.redoIcon}
              label={ruleMessages.redoButton}
              isDisabled={!draft.canRedo}
              onPress={draft.redo}
            />
            <RulesFileButtons draft={draft} name={status.value?.name ?? 'lintel'} />
          </div>
        </section>
        {draft.isDirty ? <ApplyRulesBar issueCount={issues.size} isStatic={openKey !== null} /> : null}
        <RuleHistoryPanel value={value} />
        <CopyRulesPanel />
      </div>
      <KeypadPreview
        rules={compiled}
        skipped={issues.size}
        preview={preview}
        onChange={setPreview}
        keypads={keypads}
        names={names}
      />
    </div>
  );
};

export const RulesScreen = () => {
  const { rules } = useControllerData();
  return rules.value === null ? (
    <p class="quiet">{shellMessages.loadingInProgress}</p>
  ) : (
    <RulesEditor value={rules.value} />
  );
};
