import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as cloudConflictMessages from '../messages/english/cloud-conflict.ts';
import * as editConflictMessages from '../messages/english/edit-conflict.ts';
import { useControllerData } from '../state/controller-data.ts';
import { useApiAction } from '../state/use-action.ts';
import { useGadgetNameLookup } from '../state/use-gadget-names.ts';
import { mergeRules } from './draft/merge-rules.ts';
import { useRuleDraft } from './draft/use-rule-draft.ts';
import { RuleComparison } from './rule-comparison.tsx';
import { toSavedRule } from './rule.ts';

/** Shown when the bridge did not accept rules that were applied here. */
export const CloudConflictBanner = () => {
  const { rules } = useControllerData();
  const draft = useRuleDraft();
  const names = useGadgetNameLookup();
  const { run, isBusy } = useApiAction();
  const { value } = rules;
  if (value === null || value.conflict === null) return null;
  const { yours, theirs, outcome, message } = value.conflict;
  const keep = async (version: 'yours' | 'theirs'): Promise<void> => {
    const path = '/input_rules/conflict';
    const result = await run<TechnicianRules>({ method: 'POST', path, body: { keep: version } });
    if (result !== null) rules.setValue(result);
  };
  return (
    <RuleComparison
      heading={cloudConflictMessages.heading}
      text={
        outcome === 'refused'
          ? cloudConflictMessages.rejectedByCloud(message ?? '')
          : cloudConflictMessages.changedInCloud
      }
      yours={{ title: cloudConflictMessages.yourRulesHeading, rules: yours }}
      theirs={{ title: cloudConflictMessages.cloudRulesHeading, rules: theirs }}
      names={names}
    >
      <Button variant="primary" isDisabled={isBusy} onPress={() => void keep('yours')}>
        {cloudConflictMessages.useYourRulesButton}
      </Button>
      <Button isDisabled={isBusy} onPress={() => void keep('theirs')}>
        {cloudConflictMessages.useCloudRulesButton}
      </Button>
      <Button isDisabled={isBusy} onPress={() => draft.resolve(value, mergeRules([], yours, theirs))}>
        {cloudConflictMessages.mergeButton}
      </Button>
    </RuleComparison>
  );
};

/** Shown when the active rules changed while this draft was edited. */
export const EditConflictBanner = () => {
  const { rules } = useControllerData();
  const draft = useRuleDraft();
  const names = useGadgetNameLookup();
  const { value } = rules;
  if (value === null || !draft.isOutdated) return null;
  const theirs = value.input_rules;
  const yours = draft.rules.map(toSavedRule);
  return (
    <RuleComparison
      heading={editConflictMessages.heading}
      text={editConflictMessages.hint}
      yours={{ title: editConflictMessages.yourDraftHeading, rules: yours }}
      theirs={{ title: editConflictMessages.currentRulesHeading, rules: theirs }}
      names={names}
    >
      <Button variant="primary" onPress={() => draft.resolve(value, mergeRules(draft.before, yours, theirs))}>
        {editConflictMessages.mergeButton}
      </Button>
      <Button onPress={() => draft.resolve(value, yours)}>{editConflictMessages.useYourDraftButton}</Button>
      <Button onPress={() => draft.resolve(value, theirs)}>{editConflictMessages.useCurrentRulesButton}</Button>
    </RuleComparison>
  );
};
