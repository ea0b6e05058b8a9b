import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { computeNextDraftInputRuleKey } from './draft/draft-history.ts';
import { type EditableInputRules, useInputRulesDraft } from './draft/use-rule-draft.ts';
import { InputRulesEditConflictBanner } from './edit-conflict-banner.tsx';
import { InputRulesFileButtons } from './editor/file-buttons.tsx';
import { findInputRuleIssues, suggestNewInputRuleCode } from './editor/rule-issues-and-code-suggestions.ts';
import { InputRuleList } from './editor/rule-list.tsx';
import type { GadgetAndActionNames } from './gadget-and-action-names.ts';
import {
  compileInputRulesForPreview,
  idleKeypadPreview,
  type KeypadPreviewState,
  listMatchingInputRuleCodes,
} from './keypad/keypad-preview.ts';
import { KeypadPreviewPanel } from './keypad/keypad-preview-panel.tsx';
import type { LiveKeypadState } from './keypad/live-keypads.ts';
import type { DraftInputRule } from './draft-input-rule.ts';
import { useInputRulesTexts } from './texts/input-rules-texts-provider.ts';
import { useStableValue } from './use-stable-value.ts';

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

const NoRules = ({ value }: { readonly value: EditableInputRules }) => {
  const { rules: texts } = useInputRulesTexts();
  return (
    <div class="no-rules">
      <p>
        <strong>{texts.noInputRulesText}</strong>
      </p>
      <p class="quiet">{texts.noInputRulesHint(value.destinations.find(({ is_own }) => is_own)?.name ?? null)}</p>
    </div>
  );
};

interface RulesEditorProps {
  readonly value: EditableInputRules;
  readonly names: GadgetAndActionNames;
  /** Real keypads, if their input is known. */
  readonly keypads: readonly LiveKeypadState[];
  /** Beginning of the name of an exported file. */
  readonly fileName: string;
  readonly notify: (text: string, isError?: boolean) => void;
  /** Level of the heading on the page. */
  readonly headingLevel: 'h1' | 'h2';
  /** Above the rules. */
  readonly banners?: ComponentChildren;
  /** Notes within the panel of the rules. */
  readonly notes?: ComponentChildren;
  /** Applies the draft; shown while it differs from the active rules. */
  readonly applyBar: (state: { readonly issueCount: number; readonly isStatic: boolean }) => ComponentChildren;
  /** Below the rules. */
  readonly children?: ComponentChildren;
}

/** Edits the draft of the input rules, with a preview of the keypad. The app loads and applies the rules. */
export const InputRulesEditor = (props: RulesEditorProps) => {
  const { value, names, keypads, headingLevel: Heading } = props;
  const { rules: texts } = useInputRulesTexts();
  const draft = useInputRulesDraft();
  const [openKey, open] = useState<number | null>(null);
  const [preview, setPreview] = useState<KeypadPreviewState>(idleKeypadPreview);
  const destinations = useStableValue(value.destinations);
  const serialized = JSON.stringify(draft.rules);
  const issues = useMemo(() => findInputRuleIssues(draft.rules, destinations), [serialized, destinations]);
  const compiled = useMemo(() => compileInputRulesForPreview(draft.rules, issues), [issues]);
  useUndoKeys(draft.undo, draft.redo);
  const selected = listMatchingInputRuleCodes(compiled, preview);
  const isHighlighted = ({ code, gadget_id, action_id }: DraftInputRule): boolean =>
    selected.includes(code) ||
    (preview.state.entry.phase === 'idle' && preview.presentedCode === code) ||
    keypads.some(({ rule }) => rule?.gadget_id === gadget_id && rule.action_id === action_id);
  const add = (): void => {
    const key = computeNextDraftInputRuleKey(draft.rules);
    const [first] = destinations;
    const target = { gadget_id: first?.gadget_id ?? '', action_id: first?.actions[0]?.id ?? '' };
    draft.edit([...draft.rules, { key, code: suggestNewInputRuleCode(draft.rules), ...target }]);
    open(key);
  };
  return (
    <div class="columns rules-screen">
      <div class="column">
        {props.banners}
        <InputRulesEditConflictBanner value={value} names={names} />
        <section class="card panel" aria-labelledby="rules">
          <div class="title-line">
            <Heading id="rules">{texts.inputRulesHeading}</Heading>
            <span class="quiet small">{texts.inputRuleCountText(draft.rules.length)}</span>
          </div>
          <p class="quiet">{texts.inputRulesIntroText}</p>
          {props.notes}
          {draft.rules.length === 0 ? <NoRules value={value} /> : null}
          <InputRuleList
            {...{ rules: draft.rules, issues, names, destinations, isHighlighted, openKey, open, edit: draft.edit }}
          />
          <div class="bar">
            <Button icon={icons.addIcon} isDisabled={value.destinations.length === 0} onPress={add}>
              {texts.addInputRuleButton}
            </Button>
            <Button
              variant="plain"
              icon={icons.undoIcon}
              label={texts.undoButton}
              isDisabled={!draft.canUndo}
              onPress={draft.undo}
            />
            <Button
              variant="plain"
              icon={icons.redoIcon}
              label={texts.redoButton}
              isDisabled={!draft.canRedo}
              onPress={draft.redo}
            />
            <InputRulesFileButtons draft={draft} name={props.fileName} notify={props.notify} />
          </div>
        </section>
        {draft.isDirty ? props.applyBar({ issueCount: issues.size, isStatic: openKey !== null }) : null}
        {props.children}
      </div>
      <KeypadPreviewPanel
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
