import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { Field } from '../../components/field.tsx';
import * as ruleMessages from '../../messages/english/rules.ts';
import { suggestReplacement, type RuleIssue } from './rule-issues.ts';
import type { Destination, DraftRule } from '../rule.ts';

export const issueText = (issue: RuleIssue, rules: readonly DraftRule[], code: string): string => {
  const messages = ruleMessages.issues;
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

const Destinations = ({ destinations }: { readonly destinations: readonly Destination[] }) => {
  const group = (isOwn: boolean) => destinations.filter(({ is_own }) => is_own === isOwn);
  const options = (listed: readonly Destination[]) =>
    listed.map(({ gadget_id, name }) => (
      <option key={gadget_id} value={gadget_id}>
        {name}
      </option>
    ));
  return (
    <>
      <option value="">{ruleMessages.choose}</option>
      <optgroup label={ruleMessages.own}>{options(group(true))}</optgroup>
      {group(false).length === 0 ? null : <optgroup label={ruleMessages.others}>{options(group(false))}</optgroup>}
    </>
  );
};

interface RuleEditorProps {
  readonly rules: readonly DraftRule[];
  readonly index: number;
  readonly issues: readonly RuleIssue[];
  readonly destinations: readonly Destination[];
  readonly onChange: (rule: DraftRule, field: string) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Shows issues while the code is typed, with a suggested code. */
export const RuleEditor = ({ rules, index, issues, destinations, onChange, onRemove, onClose }: RuleEditorProps) => {
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
      <Field
        id={`code-${rule.key}`}
        label={ruleMessages.code}
        hint={ruleMessages.codeHint}
        error={codeIssues.length === 0 ? null : codeIssues.map(issue => issueText(issue, rules, rule.code)).join(' ')}
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
      </Field>
      {suggestion === null || suggestion === rule.code ? null : (
        <Button icon={icons.check} onPress={() => onChange({ ...rule, code: suggestion }, '')}>
          {ruleMessages.use(suggestion)}
        </Button>
      )}
      <div class="pair">
        <Field
          id={`gadget-${rule.key}`}
          label={ruleMessages.gadget}
          error={hasIssue('no_gadget') ? ruleMessages.issues.no_gadget : null}
        >
          {described => (
            <select {...described} value={rule.gadget_id} onChange={event => changeGadget(event.currentTarget.value)}>
              <Destinations destinations={destinations} />
            </select>
          )}
        </Field>
        <Field
          id={`action-${rule.key}`}
          label={ruleMessages.actionLabel}
          error={hasIssue('no_action') ? ruleMessages.issues.no_action : null}
        >
          {described => (
            <select
              {...described}
              value={rule.action_id}
              onChange={event => onChange({ ...rule, action_id: event.currentTarget.value }, `action ${rule.key}`)}
            >
              {actions.some(({ id }) => id === rule.action_id) ? null : (
                <option value={rule.action_id}>{ruleMessages.choose}</option>
              )}
              {actions.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div class="bar">
        <Button variant="primary" onPress={onClose}>
          {ruleMessages.done}
        </Button>
        <Button icon={icons.bin} onPress={onRemove}>
          {ruleMessages.remove}
        </Button>
      </div>
    </div>
  );
};
