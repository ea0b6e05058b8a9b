import { useMemo, useState } from 'preact/hooks';
import { FormField } from '../../field.tsx';
import type { GadgetNameLookup } from '../gadget-names.ts';
import { useRulesTexts } from '../texts/rules-editor-texts.ts';
import { describeRuleIssue, InputRuleEditor } from './rule-editor.tsx';
import { suggestReplacement, type RuleIssue, type RuleIssues } from './rule-issues.ts';
import { describeRule } from '../describe-rule.ts';
import type { RuleDestination, DraftRule } from '../rule.ts';

const SEARCH_MIN_RULES = 12;

interface RowProps {
  readonly rules: readonly DraftRule[];
  readonly index: number;
  readonly issues: readonly RuleIssue[];
  readonly names: GadgetNameLookup;
  readonly isOtherController: boolean;
  readonly isHighlighted: boolean;
  readonly open: () => void;
}

const Sentence = ({ rule, names }: { readonly rule: DraftRule; readonly names: GadgetNameLookup }) => {
  const sentence = describeRule(rule, names, useRulesTexts().rules);
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
  const { rules: ruleMessages } = useRulesTexts();
  const rule = rules[index]!;
  const suggestion = issues.length === 0 ? null : suggestReplacement(rules, index);
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
      {rule.code === '' ? <span class="badge">{ruleMessages.defaultRuleBadge}</span> : null}
      {isOtherController ? <span class="badge">{ruleMessages.otherControllerBadge}</span> : null}
      {issues.length === 0 ? null : (
        <span id={`issues-${rule.key}`} class="wrong small">
          {describeRuleIssue(issues[0]!, rules, rule.code, ruleMessages)}
          {suggestion === null || suggestion === rule.code ? '' : ` ${ruleMessages.suggestedCodeText(suggestion)}`}
        </span>
      )}
    </button>
  );
};

const noIssues: readonly RuleIssue[] = [];

interface RuleListProps {
  readonly rules: readonly DraftRule[];
  readonly issues: RuleIssues;
  readonly names: GadgetNameLookup;
  readonly destinations: readonly RuleDestination[];
  readonly isHighlighted: (rule: DraftRule) => boolean;
  readonly openKey: number | null;
  readonly open: (key: number | null) => void;
  readonly edit: (rules: readonly DraftRule[], field?: string) => void;
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

export const RuleList = (list: RuleListProps) => {
  const { rules, names, openKey, isHighlighted } = list;
  const { rules: ruleMessages } = useRulesTexts();
  const [search, setSearch] = useState('');
  const query = search.trim().toLowerCase();
  const isShown = (rule: DraftRule): boolean =>
    query === '' || rule.key === openKey || describeRule(rule, names, ruleMessages).toLowerCase().includes(query);
  return (
    <>
      {rules.length < SEARCH_MIN_RULES ? null : (
        <FormField id="find" label={ruleMessages.searchLabel}>
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
