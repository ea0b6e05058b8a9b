import { isTypedByHabit } from '@lintel/access-core/input-rules';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { FormField } from '../../form-field.tsx';
import { type InputRulesEditorTexts, useInputRulesTexts } from '../texts/input-rules-texts-provider.ts';
import { suggestReplacementInputRuleCode, type InputRuleIssue } from './rule-issues-and-code-suggestions.ts';
import type { InputRuleDestination, DraftInputRule } from '../draft-input-rule.ts';

export const describeInputRuleIssue = (
  issue: InputRuleIssue,
  rules: readonly DraftInputRule[],
  code: string,
  { inputRuleIssueTexts: messages }: InputRulesEditorTexts['rules'],
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

const isAboutCode = ({ kind }: InputRuleIssue): boolean => kind !== 'no_gadget' && kind !== 'no_action';

const Destinations = ({ destinations }: { readonly destinations: readonly InputRuleDestination[] }) => {
  const { rules: ruleMessages } = useInputRulesTexts();
  const group = (isOwn: boolean) => destinations.filter(({ is_own }) => is_own === isOwn);
  const options = (listed: readonly InputRuleDestination[]) =>
    listed.map(({ gadget_id, name }) => (
      <option key={gadget_id} value={gadget_id}>
        {name}
      </option>
    ));
  return (
    <>
      <option value="">{ruleMessages.chooseGadgetPlaceholder}</option>
      <optgroup label={ruleMessages.ownGadgetsLabel}>{options(group(true))}</optgroup>
      {group(false).length === 0 ? null : (
        <optgroup label={ruleMessages.otherGadgetsLabel}>{options(group(false))}</optgroup>
      )}
    </>
  );
};

interface RuleEditorProps {
  readonly rules: readonly DraftInputRule[];
  readonly index: number;
  readonly issues: readonly InputRuleIssue[];
  readonly destinations: readonly InputRuleDestination[];
  readonly onChange: (rule: DraftInputRule, field: string) => void;
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
  const { rules: ruleMessages } = useInputRulesTexts();
  const rule = rules[index]!;
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => {
    code.current?.focus();
    code.current?.setSelectionRange(rule.code.length, rule.code.length);
  }, []);
  const codeIssues = issues.filter(isAboutCode);
  const hasIssue = (kind: InputRuleIssue['kind']): boolean => issues.some(issue => issue.kind === kind);
  const suggestion = codeIssues.length === 0 ? null : suggestReplacementInputRuleCode(rules, index);
  const actions = destinations.find(({ gadget_id }) => gadget_id === rule.gadget_id)?.actions ?? [];
  const changeGadget = (gadget_id: string): void => {
    const first = destinations.find(one => one.gadget_id === gadget_id)?.actions[0]?.id ?? '';
    onChange({ ...rule, gadget_id, action_id: first }, `gadget ${rule.key}`);
  };
  return (
    <div class="rule-editor">
      <FormField
        id={`code-${rule.key}`}
        label={ruleMessages.inputRuleCodeLabel}
        hint={ruleMessages.inputRuleCodeHint}
        error={
          codeIssues.length === 0
            ? null
            : codeIssues.map(issue => describeInputRuleIssue(issue, rules, rule.code, ruleMessages)).join(' ')
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
      {isTypedByHabit(rule.code) ? (
        <p class="rule-warning small">{ruleMessages.codeTypedByHabitText(rule.code)}</p>
      ) : null}
      {suggestion === null || suggestion === rule.code ? null : (
        <Button icon={icons.checkMarkIcon} onPress={() => onChange({ ...rule, code: suggestion }, '')}>
          {ruleMessages.selectSuggestedCodeButton(suggestion)}
        </Button>
      )}
      <div class="pair">
        <FormField
          id={`gadget-${rule.key}`}
          label={ruleMessages.inputRuleGadgetLabel}
          error={hasIssue('no_gadget') ? ruleMessages.inputRuleIssueTexts.no_gadget : null}
        >
          {described => (
            <select {...described} value={rule.gadget_id} onChange={event => changeGadget(event.currentTarget.value)}>
              <Destinations destinations={destinations} />
            </select>
          )}
        </FormField>
        <FormField
          id={`action-${rule.key}`}
          label={ruleMessages.inputRuleActionLabel}
          error={hasIssue('no_action') ? ruleMessages.inputRuleIssueTexts.no_action : null}
        >
          {described => (
            <select
              {...described}
              value={rule.action_id}
              onChange={event => onChange({ ...rule, action_id: event.currentTarget.value }, `action ${rule.key}`)}
            >
              {actions.some(({ id }) => id === rule.action_id) ? null : (
                <option value={rule.action_id}>{ruleMessages.chooseGadgetPlaceholder}</option>
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
          {ruleMessages.deleteInputRuleButton}
        </Button>
      </div>
    </div>
  );
};
