import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as cloudConflictMessages from '../messages/english/input-rules-cloud-conflict.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import { mergeInputRules } from '../../components/input-rules-editor/draft/merge-rules.ts';
import { useInputRulesDraft } from '../../components/input-rules-editor/draft/use-rule-draft.ts';
import { InputRulesComparison } from '../../components/input-rules-editor/input-rules-comparison.tsx';

/** Shown when the bridge did not accept rules that were applied here. */
export const InputRulesCloudConflictBanner = () => {
  const { rules } = useSharedControllerData();
  const draft = useInputRulesDraft();
  const names = useGadgetAndActionNames();
  const { run, isBusy } = useApiAction();
  const { value } = rules;
  if (value === null || value.conflict === null) return null;
  const { yours, theirs, outcome, message } = value.conflict;
  const keep = async (version: 'yours' | 'theirs'): Promise<void> => {
    const path = '/input_rules/conflict';
    const result = await run<TechnicianInputRulesResponse>({ method: 'POST', path, body: { keep: version } });
    if (result !== null) rules.setValue(result);
  };
  return (
    <InputRulesComparison
      heading={cloudConflictMessages.inputRulesCloudConflictHeading}
      text={
        outcome === 'refused'
          ? cloudConflictMessages.rejectedByCloudText(message ?? '')
          : cloudConflictMessages.inputRulesCloudConflictHint
      }
      yours={{ title: cloudConflictMessages.yourRulesHeading, rules: yours }}
      theirs={{ title: cloudConflictMessages.cloudRulesHeading, rules: theirs }}
      names={names}
    >
      <Button variant="primary" isDisabled={isBusy} onPress={() => void keep('yours')}>
        {cloudConflictMessages.selectYourRulesButton}
      </Button>
      <Button isDisabled={isBusy} onPress={() => void keep('theirs')}>
        {cloudConflictMessages.selectCloudRulesButton}
      </Button>
      <Button isDisabled={isBusy} onPress={() => draft.resolve(value, mergeInputRules([], yours, theirs))}>
        {cloudConflictMessages.mergeCloudRulesButton}
      </Button>
    </InputRulesComparison>
  );
};
