import type { ComponentChildren } from 'preact';
import type { GadgetNameLookup } from '../state/gadget-names.ts';
import * as ruleMessages from '../messages/english/rules.ts';
import { describeRule } from './describe-rule.ts';
import { isSameRule, type SavedRule } from './rule.ts';

interface SideProps {
  readonly title: string;
  readonly rules: readonly SavedRule[];
  readonly others: readonly SavedRule[];
  readonly names: GadgetNameLookup;
}

const Side = ({ title, rules, others, names }: SideProps) => (
  <div class="side">
    <h3>{title}</h3>
    {rules.length === 0 ? <p class="quiet">{ruleMessages.noRules}</p> : null}
    <ul>
      {rules.map(rule => {
        const isOnlyHere = !others.some(other => isSameRule(rule, other));
        return (
          <li key={`${rule.code} ${rule.gadget_id} ${rule.action_id}`} data-is-different={isOnlyHere ? '' : undefined}>
            {describeRule(rule, names)}
            {isOnlyHere ? <span class="badge">{ruleMessages.onlyInThisVersion}</span> : null}
          </li>
        );
      })}
    </ul>
  </div>
);

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
