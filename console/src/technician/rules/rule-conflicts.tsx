import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as cloudConflictMessages from '../messages/english/cloud-conflict.ts';
import { useControllerData } from '../state/shared-controller-resources.ts';
import { useApiAction } from '../state/use-action.ts';
import { useGadgetNameLookup } from '../state/use-gadget-names.ts';
import { mergeRules } from '../../components/rules-editor/draft/merge-rules.ts';
import { useRuleDraft } from '../../components/rules-editor/draft/use-rule-draft.ts';
import { RuleComparison } from '../../components/rules-editor/rule-comparison.tsx';

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
      heading={cloudConflictMessages.cloudConflictHeading}
      text={
        outcome === 'refused'
          ? cloudConflictMessages.rejectedByCloud(message ?? '')
          : cloudConflictMessages.cloudConflictHint
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
        {cloudConflictMessages.mergeCloudRulesButton}
      </Button>
    </RuleComparison>
  );
};
