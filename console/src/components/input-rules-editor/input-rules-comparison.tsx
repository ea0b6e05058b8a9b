import type { ComponentChildren } from 'preact';
import { describeInputRule } from './describe-input-rule.ts';
import type { GadgetAndActionNames } from './gadget-and-action-names.ts';
import { isSameInputRule, type SavedInputRule } from './draft-input-rule.ts';
import { useInputRulesTexts } from './texts/input-rules-texts-provider.ts';

interface SideProps {
  readonly title: string;
  readonly rules: readonly SavedInputRule[];
  readonly others: readonly SavedInputRule[];
  readonly names: GadgetAndActionNames;
}

const Side = ({ title, rules, others, names }: SideProps) => {
  const { rules: ruleMessages } = useInputRulesTexts();
  return (
    <div class="side">
      <h3>{title}</h3>
      {rules.length === 0 ? <p class="quiet">{ruleMessages.noInputRulesText}</p> : null}
      <ul>
        {rules.map(rule => {
          const isOnlyHere = !others.some(other => isSameInputRule(rule, other));
          return (
            <li
              key={`${rule.code} ${rule.gadget_id} ${rule.action_id}`}
              data-is-different={isOnlyHere ? '' : undefined}
            >
              {describeInputRule(rule, names, ruleMessages)}
              {isOnlyHere ? <span class="badge">{ruleMessages.onlyInThisVersionText}</span> : null}
            </li>
          );
        })}
      </ul>
    </div>
  );
};

interface ComparedRulesProps {
  readonly yours: { readonly title: string; readonly rules: readonly SavedInputRule[] };
  readonly theirs: { readonly title: string; readonly rules: readonly SavedInputRule[] };
  readonly names: GadgetAndActionNames;
}

/** Two versions of the rules side by side, with their differences marked. */
export const SideBySideInputRules = ({ yours, theirs, names }: ComparedRulesProps) => (
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

export const InputRulesComparison = ({ heading, text, yours, theirs, names, children }: RuleComparisonProps) => (
  <section class="card panel rule-comparison" role="alert" aria-label={heading}>
    <h2>{heading}</h2>
    <p>{text}</p>
    <SideBySideInputRules {...{ yours, theirs, names }} />
    <div class="bar">{children}</div>
  </section>
);
