import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { formatDateTime } from '../messages/format-time.ts';
import * as ruleHistoryMessages from '../messages/english/rule-history.ts';
import { useGadgetNameLookup } from '../state/use-gadget-names.ts';
import { useNotify } from '../api/use-session.ts';
import { useRuleDraft } from '../../components/rules-editor/draft/use-rule-draft.ts';
import { ComparedRules } from '../../components/rules-editor/rule-comparison.tsx';
import { haveSameRules } from '../../components/rules-editor/rule.ts';

type Version = TechnicianRules['history'][number];

const authorOf = ({ by }: Version): string => {
  if (by === null) return ruleHistoryMessages.changedInCloudLabel;
  if (by.user_id === null) return ruleHistoryMessages.changedWithSetupCode;
  return ruleHistoryMessages.changedByTechnician(by.user_id);
};

/** The earlier versions of the rules. A restored version is a draft until it is applied. */
export const RuleHistoryPanel = ({ value }: { readonly value: TechnicianRules }) => {
  const draft = useRuleDraft();
  const names = useGadgetNameLookup();
  const notify = useNotify();
  return (
    <details class="card panel">
      <summary>
        <h2>{ruleHistoryMessages.ruleHistoryHeading}</h2>
      </summary>
      {value.history.length === 0 ? <p class="quiet">{ruleHistoryMessages.noRuleVersions}</p> : null}
      {value.history.map(version => {
        const isCurrent = haveSameRules(version.input_rules, value.input_rules);
        return (
          <details key={version.at} class="version">
            <summary>
              {formatDateTime(version.at)} · {authorOf(version)} ·{' '}
              {isCurrent
                ? ruleHistoryMessages.currentVersionBadge
                : ruleHistoryMessages.ruleCount(version.input_rules.length)}
            </summary>
            <ComparedRules
              yours={{ title: ruleHistoryMessages.selectedVersionHeading, rules: version.input_rules }}
              theirs={{ title: ruleHistoryMessages.activeRulesHeading, rules: value.input_rules }}
              names={names}
            />
            {isCurrent ? null : (
              <Button
                icon={icons.undoIcon}
                onPress={() => {
                  draft.resolve(value, version.input_rules);
                  notify(ruleHistoryMessages.versionRestored);
                }}
              >
                {ruleHistoryMessages.restoreButton}
              </Button>
            )}
          </details>
        );
      })}
    </details>
  );
};
