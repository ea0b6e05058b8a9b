import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { FormField } from '../../field.tsx';
import { type RulesEditorTexts, useRulesTexts } from '../texts/rules-editor-texts.ts';
import { suggestReplacement, type RuleIssue } from './rule-issues.ts';
import type { RuleDestination, DraftRule } from '../rule.ts';

export const describeRuleIssue = (
  issue: RuleIssue,
  rules: readonly DraftRule[],
  code: string,
  { ruleIssueTexts: messages }: RulesEditorTexts['rules'],
): string => {
  switch (issue.kind) {
    case 'conflict': {
      const other = rules[issue.other]?.code ?? '';
      return issue.relation === 'same' ? messages.same(code) : messages[issue.relation](code, other);
    }
    case 'default_beside_digits':
      return messages.default_beside_digits(rules[issue.other]?.code ?? '');
    default:
      return messages[issue.kind];
  }
};

const isAboutCode = ({ kind }: RuleIssue): boolean => kind !== 'no_gadget' && kind !== 'no_action';

const Destinations = ({ destinations }: { readonly destinations: readonly RuleDestination[] }) => {
  const { rules: ruleMessages } = useRulesTexts();
  const group = (isOwn: boolean) => destinations.filter(({ is_own }) => is_own === isOwn);
  const options = (listed: readonly RuleDestination[]) =>
    listed.map(({ gadget_id, name }) => (
      <option key={gadget_id} value={gadget_id}>
        {name}
      </option>
    ));
  return (
    <>
      <option value="">{ruleMessages.chooseGadget}</option>
      <optgroup label={ruleMessages.ownGadgetsLabel}>{options(group(true))}</optgroup>
      {group(false).length === 0 ? null : (
        <optgroup label={ruleMessages.otherGadgetsLabel}>{options(group(false))}</optgroup>
      )}
    </>
  );
};

interface RuleEditorProps {
  readonly rules: readonly DraftRule[];
  readonly index: number;
  readonly issues: readonly RuleIssue[];
  readonly destinations: readonly RuleDestination[];
  readonly onChange: (rule: DraftRule, field: string) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Shows issues while the code is typed, with a suggested code. */
export const InputRuleEditor = ({
  rules,
  index,
  issues,
  destinations,
  onChange,
  onRemove,
  onClose,
}: RuleEditorProps) => {
  const { rules: ruleMessages } = useRulesTexts();
  const rule = rules[index]!;
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => {
    code.current?.focus();
    code.current?.setSelectionRange(rule.code.length, rule.code.length);
  }, []);
  const codeIssues = issues.filter(isAboutCode);
  const hasIssue = (kind: RuleIssue['kind']): boolean => issues.some(issue => issue.kind === kind);
  const suggestion = codeIssues.length === 0 ? null : suggestReplacement(rules, index);
  const actions = destinations.find(({ gadget_id }) => gadget_id === rule.gadget_id)?.actions ?? [];
  const changeGadget = (gadget_id: string): void => {
    const first = destinations.find(one => one.gadget_id === gadget_id)?.actions[0]?.id ?? '';
    onChange({ ...rule, gadget_id, action_id: first }, `gadget ${rule.key}`);
  };
  return (
    <div class="rule-editor">
      <FormField
        id={`code-${rule.key}`}
        label={ruleMessages.codeLabel}
        hint={ruleMessages.codeHint}
        error={
          codeIssues.length === 0
            ? null
            : codeIssues.map(issue => describeRuleIssue(issue, rules, rule.code, ruleMessages)).join(' ')
        }
      >
        {described => (
          <input
            {...described}
            ref={code}
            class="big-code"
            value={rule.code}
            maxlength={40}
            inputmode="tel"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={codeIssues.length > 0}
            onInput={event =>
              onChange({ ...rule, code: event.currentTarget.value.replaceAll(/\s/g, '') }, `code ${rule.key}`)
            }
            onKeyDown={event => {
              if (event.key === 'Enter') onClose();
            }}
          />
        )}
      </FormField>
      {suggestion === null || suggestion === rule.code ? null : (
        <Button icon={icons.checkMarkIcon} onPress={() => onChange({ ...rule, code: suggestion }, '')}>
          {ruleMessages.useCodeButton(suggestion)}
        </Button>
      )}
      <div class="pair">
        <FormField
          id={`gadget-${rule.key}`}
          label={ruleMessages.gadgetLabel}
          error={hasIssue('no_gadget') ? ruleMessages.ruleIssueTexts.no_gadget : null}
        >
          {described => (
            <select {...described} value={rule.gadget_id} onChange={event => changeGadget(event.currentTarget.value)}>
              <Destinations destinations={destinations} />
            </select>
          )}
        </FormField>
        <FormField
          id={`action-${rule.key}`}
          label={ruleMessages.actionLabel}
          error={hasIssue('no_action') ? ruleMessages.ruleIssueTexts.no_action : null}
        >
          {described => (
            <select
              {...described}
              value={rule.action_id}
              onChange={event => onChange({ ...rule, action_id: event.currentTarget.value }, `action ${rule.key}`)}
            >
              {actions.some(({ id }) => id === rule.action_id) ? null : (
                <option value={rule.action_id}>{ruleMessages.chooseGadget}</option>
              )}
              {actions.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FormField>
      </div>
      <div class="bar">
        <Button variant="primary" onPress={onClose}>
          {ruleMessages.finishEditingButton}
        </Button>
        <Button icon={icons.deleteIcon} onPress={onRemove}>
          {ruleMessages.deleteRuleButton}
        </Button>
      </div>
    </div>
  );
};
