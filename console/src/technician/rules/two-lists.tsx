import type { ComponentChildren } from 'preact';
import type { Names } from '../frame/names.ts';
import * as ruleWords from '../words/english/rule-words.ts';
import { ruleSentence } from './rule-sentence.ts';
import { areSameRule, type Rule } from './rule.ts';

interface SideProps {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly others: readonly Rule[];
  readonly names: Names;
}

const Side = ({ title, rules, others, names }: SideProps) => (
  <div class="side">
    <h3>{title}</h3>
    {rules.length === 0 ? <p class="quiet">{ruleWords.none}</p> : null}
    <ul>
      {rules.map(rule => {
        const isOnlyHere = !others.some(other => areSameRule(rule, other));
        return (
          <li key={`${rule.code} ${rule.gadget_id} ${rule.action_id}`} data-is-different={isOnlyHere ? '' : undefined}>
            {ruleSentence(rule, names)}
            {isOnlyHere ? <span class="badge">{ruleWords.difference.only}</span> : null}
          </li>
        );
      })}
    </ul>
  </div>
);

interface TwoListsProps {
  readonly heading: string;
  readonly text: string;
  readonly yours: { readonly title: string; readonly rules: readonly Rule[] };
  readonly theirs: { readonly title: string; readonly rules: readonly Rule[] };
  readonly names: Names;
  readonly children: ComponentChildren;
}

/** Both side by side, with what is different marked, and the choice below. */
export const TwoLists = ({ heading, text, yours, theirs, names, children }: TwoListsProps) => (
  <section class="card panel two-lists" role="alert" aria-label={heading}>
    <h2>{heading}</h2>
    <p>{text}</p>
    <div class="sides">
      <Side {...yours} others={theirs.rules} names={names} />
      <Side {...theirs} others={yours.rules} names={names} />
    </div>
    <div class="bar">{children}</div>
  </section>
);
