import { Button } from '../../design/controls.tsx';
import { mergeRules } from './draft/merge-rules.ts';
import { type EditableRules, useRuleDraft } from './draft/use-rule-draft.ts';
import type { GadgetNameLookup } from './gadget-names.ts';
import { RuleComparison } from './rule-comparison.tsx';
import { toSavedRule } from './rule.ts';
import { useRulesTexts } from './texts/rules-editor-texts.ts';

interface EditConflictBannerProps {
  readonly value: EditableRules;
  readonly names: GadgetNameLookup;
}

/** Shown when the active rules changed while this draft was edited. */
export const EditConflictBanner = ({ value, names }: EditConflictBannerProps) => {
  const { editConflict: texts } = useRulesTexts();
  const draft = useRuleDraft();
  if (!draft.isOutdated) return null;
  const theirs = value.input_rules;
  const yours = draft.rules.map(toSavedRule);
  return (
    <RuleComparison
      heading={texts.editConflictHeading}
      text={texts.editConflictHint}
      yours={{ title: texts.yourDraftHeading, rules: yours }}
      theirs={{ title: texts.currentRulesHeading, rules: theirs }}
      names={names}
    >
      <Button variant="primary" onPress={() => draft.resolve(value, mergeRules(draft.before, yours, theirs))}>
        {texts.mergeButton}
      </Button>
      <Button onPress={() => draft.resolve(value, yours)}>{texts.useYourDraftButton}</Button>
      <Button onPress={() => draft.resolve(value, theirs)}>{texts.useCurrentRulesButton}</Button>
    </RuleComparison>
  );
};
