import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import * as editConflictMessages from '../../components/input-rules-editor/texts/en/edit-conflict.ts';
import * as ruleMessages from '../../components/input-rules-editor/texts/en/input-rules-editor.ts';
import * as ruleApplyMessages from '../messages/english/apply-input-rules.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { useInputRulesDraft } from '../../components/input-rules-editor/draft/use-rule-draft.ts';
import { INPUT_RULES_TRIAL_SECONDS } from './provisional-rules/seconds-until-revert.ts';
import { toSavedInputRule } from '../../components/input-rules-editor/draft-input-rule.ts';

const useApply = () => {
  const { rules } = useSharedControllerData();
  const draft = useInputRulesDraft();
  const { run, isBusy } = useApiAction();
  const apply = async (): Promise<void> => {
    const result = await run<TechnicianInputRulesResponse>(
      {
        method: 'PUT',
        path: '/input_rules',
        body: {
          input_rules: draft.rules.map(toSavedInputRule),
          base: rules.value?.base,
          confirm_within_s: INPUT_RULES_TRIAL_SECONDS,
        },
      },
      error => {
        if (!isTechnicianApiRejectionWith(error, 409, 'edit_conflict')) return null;
        void rules.reload();
        return editConflictMessages.editConflictHeading;
      },
    );
    if (result !== null) draft.onApplied(result);
  };
  return { apply, isBusy };
};

interface ApplyBarProps {
  readonly issueCount: number;
  /** Not sticky while a rule is edited, so that it does not cover the field. */
  readonly isStatic: boolean;
}

export const ApplyInputRulesBar = ({ issueCount, isStatic }: ApplyBarProps) => {
  const draft = useInputRulesDraft();
  const { apply, isBusy } = useApply();
  return (
    <section
      class="card apply-bar"
      data-is-static={isStatic ? '' : undefined}
      aria-label={ruleMessages.inputRulesNotAppliedText}
    >
      <p>
        <strong>{ruleMessages.inputRulesNotAppliedText}</strong>{' '}
        {issueCount > 0 ? (
          <span class="wrong">{ruleMessages.invalidInputRuleCountText(issueCount)}</span>
        ) : (
          <span class="quiet small">{ruleApplyMessages.applyInputRulesHint}</span>
        )}
      </p>
      <div class="bar">
        <Button
          variant="primary"
          icon={icons.checkMarkIcon}
          isDisabled={issueCount > 0 || isBusy || draft.isOutdated}
          onPress={() => void apply()}
        >
          {isBusy ? ruleApplyMessages.applyInputRulesInProgressText : ruleApplyMessages.applyInputRulesButton}
        </Button>
        <Button onPress={draft.discard}>{ruleMessages.discardChangesButton}</Button>
      </div>
    </section>
  );
};
