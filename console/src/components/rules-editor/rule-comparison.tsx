import type { ComponentChildren } from 'preact';
import { describeRule } from './describe-rule.ts';
import type { GadgetNameLookup } from './gadget-names.ts';
import { isSameRule, type SavedRule } from './rule.ts';
import { useRulesTexts } from './texts/rules-editor-texts.ts';

interface SideProps {
  readonly title: string;
  readonly rules: readonly SavedRule[];
  readonly others: readonly SavedRule[];
  readonly names: GadgetNameLookup;
}

const Side = ({ title, rules, others, names }: SideProps) => {
  const { rules: ruleMessages } = useRulesTexts();
  return (
    <div class="side">
      <h3>{title}</h3>
      {rules.length === 0 ? <p class="quiet">{ruleMessages.noRules}</p> : null}
      <ul>
        {rules.map(rule => {
          const isOnlyHere = !others.some(other => isSameRule(rule, other));
          return (
            <li
              key={`${rule.code} ${rule.gadget_id} ${rule.action_id}`}
              data-is-different={isOnlyHere ? '' : undefined}
            >
              {describeRule(rule, names, ruleMessages)}
              {isOnlyHere ? <span class="badge">{ruleMessages.onlyInThisVersion}</span> : null}
            </li>
          );
        })}
      </ul>
    </div>
  );
};

interface ComparedRulesProps {
  readonly yours: { readonly title: string; readonly rules: readonly SavedRule[] };
  readonly theirs: { readonly title: string; readonly rules: readonly SavedRule[] };
  readonly names: GadgetNameLookup;
}

/** Two versions of the rules side by side, with their differences marked. */
export const ComparedRules = ({ yours, theirs, names }: ComparedRulesProps) => (
  <div class="sides">
    <Side {...yours} others={theirs.rules} names={names} />
    <Side {...theirs} others={yours.rules} names={names} />
  </div>
);

interface RuleComparisonProps extends ComparedRulesProps {
  readonly heading: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

export const RuleComparison = ({ heading, text, yours, theirs, names, children }: RuleComparisonProps) => (
  <section class="card panel rule-comparison" role="alert" aria-label={heading}>
    <h2>{heading}</h2>
    <p>{text}</p>
    <ComparedRules {...{ yours, theirs, names }} />
    <div class="bar">{children}</div>
  </section>
);
