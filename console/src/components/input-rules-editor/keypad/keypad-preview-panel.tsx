import type { CompiledInputRules } from '@lintel/access-core/input-rules-compiled';
import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../../design/icon.tsx';
import * as icons from '../../../design/icons.ts';
import { capitalize } from '../../texts/capitalize.ts';
import type { GadgetAndActionNames } from '../gadget-and-action-names.ts';
import { type InputRulesEditorTexts, useInputRulesTexts } from '../texts/input-rules-texts-provider.ts';
import { describeInputRuleAction } from '../describe-input-rule.ts';
import {
  computePreviewEntryDeadline,
  expirePreviewEntry,
  idleKeypadPreview,
  presentPreviewCard,
  pressPreviewKey,
  type KeypadPreviewState,
  listMatchingInputRuleCodes,
} from './keypad-preview.ts';
import type { LiveKeypadState } from './live-keypads.ts';

const keys: readonly KeypadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];
const isKey = (key: string): key is KeypadKey => (keys as readonly string[]).includes(key);

/** `Opens Garage`; without a rule, the first gadget. */
const actionText = (
  rule: Parameters<typeof describeInputRuleAction>[0] | null | undefined,
  names: GadgetAndActionNames,
  { rules, preview }: InputRulesEditorTexts,
): string => (rule == null ? preview.firstGadgetNameText : capitalize(describeInputRuleAction(rule, names, rules)));

const displayText = (
  rules: CompiledInputRules,
  preview: KeypadPreviewState,
  names: GadgetAndActionNames,
  texts: InputRulesEditorTexts,
): string => {
  const previewMessages = texts.preview;
  const { state, outcome, presentedCode } = preview;
  const { entry } = state;
  if (entry.phase === 'armed') {
    const { destination, digits } = entry;
    const rule = destination.kind === 'rule' ? destination.rule : null;
    return previewMessages.inputRuleSelectedText(actionText(rule, names, texts), digits.length);
  }
  if (entry.phase === 'code')
    return previewMessages.matchingInputRuleCountText(entry.typed, listMatchingInputRuleCodes(rules, preview).length);
  const presented = rules.rules.find(({ code }) => code === presentedCode);
  switch (outcome) {
    case null:
      return previewMessages.pressAKeyText;
    case 'pin':
      return previewMessages.pinPresentedText(actionText(presented, names, texts));
    case 'card':
      return previewMessages.cardPresentedText(actionText(presented, names, texts));
    default:
      return previewMessages.discardedEntryTexts[outcome];
  }
};

const liveText = (
  { phase, rule, typed }: LiveKeypadState,
  names: GadgetAndActionNames,
  texts: InputRulesEditorTexts,
): string => {
  const previewMessages = texts.preview;
  if (phase === 'idle') return previewMessages.liveKeypadIdleText;
  return phase === 'code'
    ? previewMessages.liveKeypadCodeIncompleteText(typed)
    : previewMessages.liveInputRuleSelectedText(actionText(rule, names, texts));
};

interface KeypadProps {
  readonly rules: CompiledInputRules;
  /** How many rules have issues and are not part of `rules`. */
  readonly skipped: number;
  readonly preview: KeypadPreviewState;
  readonly onChange: (preview: KeypadPreviewState) => void;
  readonly keypads: readonly LiveKeypadState[];
  readonly names: GadgetAndActionNames;
}

/** Previews the draft with the key entry code of the controller. */
export const KeypadPreviewPanel = ({ rules, skipped, preview, onChange, keypads, names }: KeypadProps) => {
  const texts = useInputRulesTexts();
  const previewMessages = texts.preview;
  const keyNames: Readonly<Record<string, string>> = {
    '*': previewMessages.starKeyLabel,
    '#': previewMessages.poundKeyLabel,
  };
  const deadline = computePreviewEntryDeadline(preview);
  useEffect(() => {
    if (deadline === null) return;
    const timer = setTimeout(
      () => onChange(expirePreviewEntry(rules, preview, performance.now())),
      deadline - performance.now() + 5,
    );
    return () => clearTimeout(timer);
  }, [deadline, rules, preview]);
  useEffect(() => onChange(idleKeypadPreview), [rules]);
  const press = (key: KeypadKey): void => onChange(pressPreviewKey(rules, preview, key, performance.now()));
  return (
    <section class="card panel preview" aria-labelledby="preview">
      <h2 id="preview">{previewMessages.keypadPreviewHeading}</h2>
      <p class="quiet small">
        {previewMessages.keypadPreviewHint} {keypads.length === 0 ? null : previewMessages.liveKeypadHint}
      </p>
      <div
        class="keypad"
        role="group"
        aria-label={previewMessages.keypadPreviewHeading}
        onKeyDown={event => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && isKey(event.key)) press(event.key);
        }}
      >
        <p class="display" role="status">
          {displayText(rules, preview, names, texts)}
        </p>
        {keys.map(key => (
          <button key={key} type="button" class="key" aria-label={keyNames[key]} onClick={() => press(key)}>
            {key}
          </button>
        ))}
        <button
          type="button"
          class="key card-key"
          onClick={() => onChange(presentPreviewCard(rules, preview, performance.now()))}
        >
          <Icon shape={icons.radioWavesIcon} />
          {previewMessages.presentCardButton}
        </button>
      </div>
      {skipped === 0 ? null : <p class="wrong small">{previewMessages.ignoredInputRuleCountText(skipped)}</p>}
      <ul class="live-keypads">
        {keypads.map(keypad => (
          <li key={keypad.station} data-is-busy={keypad.phase === 'idle' ? undefined : ''}>
            <strong>{previewMessages.liveKeypadTitle(keypad.station)}</strong> {liveText(keypad, names, texts)}
          </li>
        ))}
      </ul>
    </section>
  );
};
