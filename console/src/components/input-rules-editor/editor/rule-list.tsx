import { isTypedByHabit } from '@lintel/access-core/input-rules';
import { useMemo, useState } from 'preact/hooks';
import { FormField } from '../../form-field.tsx';
import type { GadgetAndActionNames } from '../gadget-and-action-names.ts';
import { useInputRulesTexts } from '../texts/input-rules-texts-provider.ts';
import { describeInputRuleIssue, InputRuleEditor } from './rule-editor.tsx';
import {
  suggestReplacementInputRuleCode,
  type InputRuleIssue,
  type InputRuleIssues,
} from './rule-issues-and-code-suggestions.ts';
import { describeInputRule } from '../describe-input-rule.ts';
import type { InputRuleDestination, DraftInputRule } from '../draft-input-rule.ts';

const SEARCH_MIN_RULES = 12;

interface RowProps {
  readonly rules: readonly DraftInputRule[];
  readonly index: number;
  readonly issues: readonly InputRuleIssue[];
  readonly names: GadgetAndActionNames;
  readonly isOtherController: boolean;
  readonly isHighlighted: boolean;
  readonly open: () => void;
}

const Sentence = ({ rule, names }: { readonly rule: DraftInputRule; readonly names: GadgetAndActionNames }) => {
  const sentence = describeInputRule(rule, names, useInputRulesTexts().rules);
  if (rule.code === '') return <>{sentence}</>;
  const at = sentence.indexOf(rule.code);
  return (
    <>
      {sentence.slice(0, at)}
      <kbd>{rule.code}</kbd>
      {sentence.slice(at + rule.code.length)}
    </>
  );
};

const Row = ({ rules, index, issues, names, isOtherController, isHighlighted, open }: RowProps) => {
  const { rules: ruleMessages } = useInputRulesTexts();
  const rule = rules[index]!;
  const suggestion = issues.length === 0 ? null : suggestReplacementInputRuleCode(rules, index);
  return (
    <button
      type="button"
      class="rule-line"
      id={`rule-${rule.key}`}
      aria-expanded="false"
      aria-describedby={issues.length === 0 ? undefined : `issues-${rule.key}`}
      data-is-highlighted={isHighlighted ? '' : undefined}
      onClick={open}
    >
      <span>
        <Sentence rule={rule} names={names} />
      </span>
      {rule.code === '' ? <span class="badge">{ruleMessages.defaultInputRuleBadge}</span> : null}
      {isOtherController ? <span class="badge">{ruleMessages.otherControllerBadge}</span> : null}
      {issues.length === 0 ? null : (
        <span id={`issues-${rule.key}`} class="wrong small">
          {describeInputRuleIssue(issues[0]!, rules, rule.code, ruleMessages)}
          {suggestion === null || suggestion === rule.code ? '' : ` ${ruleMessages.suggestedCodeText(suggestion)}`}
        </span>
      )}
      {isTypedByHabit(rule.code) ? (
        <span class="rule-warning small">{ruleMessages.codeTypedByHabitText(rule.code)}</span>
      ) : null}
    </button>
  );
};

const noIssues: readonly InputRuleIssue[] = [];

interface RuleListProps {
  readonly rules: readonly DraftInputRule[];
  readonly issues: InputRuleIssues;
  readonly names: GadgetAndActionNames;
  readonly destinations: readonly InputRuleDestination[];
  readonly isHighlighted: (rule: DraftInputRule) => boolean;
  readonly openKey: number | null;
  readonly open: (key: number | null) => void;
  readonly edit: (rules: readonly DraftInputRule[], field?: string) => void;
}

/** Memoized, so that typing stays fast with two hundred rules. */
const Item = ({
  list,
  index,
  isHighlighted,
}: {
  readonly list: RuleListProps;
  readonly index: number;
  readonly isHighlighted: boolean;
}) => {
  const { rules, issues, names, destinations, openKey, open, edit } = list;
  const rule = rules[index]!;
  const ownIssues = issues.get(index) ?? noIssues;
  const isOpen = openKey === rule.key;
  const isOtherController = destinations.find(({ gadget_id }) => gadget_id === rule.gadget_id)?.is_own === false;
  const row = useMemo(
    () =>
      isOpen ? null : (
        <Row
          {...{ rules, index, names, isOtherController, isHighlighted }}
          issues={ownIssues}
          open={() => open(rule.key)}
        />
      ),
    [
      rule,
      JSON.stringify(ownIssues),
      names,
      isOtherController,
      isHighlighted,
      isOpen,
      index,
      ownIssues.length === 0 ? null : rules,
    ],
  );
  return (
    <li class="rule" data-is-wrong={ownIssues.length > 0 ? '' : undefined} data-is-open={isOpen ? '' : undefined}>
      {row ?? (
        <InputRuleEditor
          {...{ rules, index, destinations }}
          issues={ownIssues}
          onChange={(changed, field) => edit(rules.with(index, changed), field === '' ? undefined : field)}
          onRemove={() => {
            open(null);
            edit(rules.toSpliced(index, 1));
          }}
          onClose={() => {
            open(null);
            // Restores the focus for keyboards and screen readers.
            setTimeout(() => document.getElementById(`rule-${rule.key}`)?.focus());
          }}
        />
      )}
    </li>
  );
};

export const InputRuleList = (list: RuleListProps) => {
  const { rules, names, openKey, isHighlighted } = list;
  const { rules: ruleMessages } = useInputRulesTexts();
  const [search, setSearch] = useState('');
  const query = search.trim().toLowerCase();
  const isShown = (rule: DraftInputRule): boolean =>
    query === '' || rule.key === openKey || describeInputRule(rule, names, ruleMessages).toLowerCase().includes(query);
  return (
    <>
      {rules.length < SEARCH_MIN_RULES ? null : (
        <FormField id="find" label={ruleMessages.searchInputRulesLabel}>
          {described => (
            <input
              {...described}
              type="search"
              value={search}
              autocomplete="off"
              onInput={event => setSearch(event.currentTarget.value)}
            />
          )}
        </FormField>
      )}
      <ul class="rules">
        {rules.map((rule, index) =>
          isShown(rule) ? <Item key={rule.key} list={list} index={index} isHighlighted={isHighlighted(rule)} /> : null,
        )}
      </ul>
    </>
  );
};
