import { Button } from '../../design/controls.tsx';
import { mergeInputRules } from './draft/merge-rules.ts';
import { type EditableInputRules, useInputRulesDraft } from './draft/use-rule-draft.ts';
import type { GadgetAndActionNames } from './gadget-and-action-names.ts';
import { InputRulesComparison } from './input-rules-comparison.tsx';
import { toSavedInputRule } from './draft-input-rule.ts';
import { useInputRulesTexts } from './texts/input-rules-texts-provider.ts';

interface EditConflictBannerProps {
  readonly value: EditableInputRules;
  readonly names: GadgetAndActionNames;
}

/** Shown when the active rules changed while this draft was edited. */
export const InputRulesEditConflictBanner = ({ value, names }: EditConflictBannerProps) => {
  const { editConflict: texts } = useInputRulesTexts();
  const draft = useInputRulesDraft();
  if (!draft.isOutdated) return null;
  const theirs = value.input_rules;
  const yours = draft.rules.map(toSavedInputRule);
  return (
    <InputRulesComparison
      heading={texts.editConflictHeading}
      text={texts.editConflictHint}
      yours={{ title: texts.yourDraftHeading, rules: yours }}
      theirs={{ title: texts.currentRulesHeading, rules: theirs }}
      names={names}
    >
      <Button variant="primary" onPress={() => draft.resolve(value, mergeInputRules(draft.before, yours, theirs))}>
        {texts.mergeInputRulesButton}
      </Button>
      <Button onPress={() => draft.resolve(value, yours)}>{texts.selectYourDraftButton}</Button>
      <Button onPress={() => draft.resolve(value, theirs)}>{texts.selectCurrentRulesButton}</Button>
    </InputRulesComparison>
  );
};
