import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { formatDateTime } from '../messages/format-time.ts';
import * as ruleHistoryMessages from '../messages/english/input-rules-history.ts';
import { useGadgetAndActionNames } from '../state/use-gadget-and-action-names.ts';
import { useNotify } from '../state/notice-context.ts';
import { useInputRulesDraft } from '../../components/input-rules-editor/draft/use-rule-draft.ts';
import { SideBySideInputRules } from '../../components/input-rules-editor/input-rules-comparison.tsx';
import { areSameInputRules } from '../../components/input-rules-editor/draft-input-rule.ts';

type Version = TechnicianInputRulesResponse['history'][number];

const authorOf = ({ by }: Version): string => {
  if (by === null) return ruleHistoryMessages.changedInCloudLabel;
  if (by.user_id === null) return ruleHistoryMessages.changedWithSetupCodeText;
  return ruleHistoryMessages.changedByTechnicianText(by.user_id);
};

/** The earlier versions of the rules. A restored version is a draft until it is applied. */
export const InputRulesHistoryPanel = ({ value }: { readonly value: TechnicianInputRulesResponse }) => {
  const draft = useInputRulesDraft();
  const names = useGadgetAndActionNames();
  const notify = useNotify();
  return (
    <details class="card panel">
      <summary>
        <h2>{ruleHistoryMessages.inputRuleHistoryHeading}</h2>
      </summary>
      {value.history.length === 0 ? <p class="quiet">{ruleHistoryMessages.noInputRuleVersionsText}</p> : null}
      {value.history.map(version => {
        const isCurrent = areSameInputRules(version.input_rules, value.input_rules);
        return (
          <details key={version.at} class="version">
            <summary>
              {formatDateTime(version.at)} · {authorOf(version)} ·{' '}
              {isCurrent
                ? ruleHistoryMessages.currentVersionBadge
                : ruleHistoryMessages.inputRuleCountText(version.input_rules.length)}
            </summary>
            <SideBySideInputRules
              yours={{ title: ruleHistoryMessages.selectedVersionHeading, rules: version.input_rules }}
              theirs={{ title: ruleHistoryMessages.activeRulesHeading, rules: value.input_rules }}
              names={names}
            />
            {isCurrent ? null : (
              <Button
                icon={icons.undoIcon}
                onPress={() => {
                  draft.resolve(value, version.input_rules);
                  notify(ruleHistoryMessages.versionRestoredText);
                }}
              >
                {ruleHistoryMessages.restoreInputRulesButton}
              </Button>
            )}
          </details>
        );
      })}
    </details>
  );
};
