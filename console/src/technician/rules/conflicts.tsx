import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { Press } from '../../design/controls.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import { useNames } from '../frame/use-names.ts';
import { useOrder } from '../frame/use-order.ts';
import * as changedWords from '../words/english/changed-words.ts';
import * as conflictWords from '../words/english/conflict-words.ts';
import { mergedRules } from './merged-rules.ts';
import { plainRule } from './rule.ts';
import { TwoLists } from './two-lists.tsx';
import { useDraft } from './use-draft.ts';

/** An edit made here that the desk did not take over. */
export const CloudConflict = () => {
  const { rules } = useWhatIsKnown();
  const desk = useDraft();
  const names = useNames();
  const { order, isBusy } = useOrder();
  const { value } = rules;
  if (value === null || value.conflict === null) return null;
  const { yours, theirs, outcome, message } = value.conflict;
  const keep = async (which: 'yours' | 'theirs'): Promise<void> => {
    const answer = await order<TechnicianRules>({
      method: 'POST',
      path: '/input_rules/conflict',
      body: { keep: which },
    });
    if (answer !== null) rules.put(answer);
  };
  return (
    <TwoLists
      heading={conflictWords.heading}
      text={outcome === 'refused' ? conflictWords.refused(message ?? '') : conflictWords.superseded}
      yours={{ title: conflictWords.yours, rules: yours }}
      theirs={{ title: conflictWords.theirs, rules: theirs }}
      names={names}
    >
      <Press look="primary" isOff={isBusy} press={() => void keep('yours')}>
        {conflictWords.keepYours}
      </Press>
      <Press isOff={isBusy} press={() => void keep('theirs')}>
        {conflictWords.keepTheirs}
      </Press>
      <Press isOff={isBusy} press={() => desk.settle(value, mergedRules([], yours, theirs))}>
        {conflictWords.merge}
      </Press>
    </TwoLists>
  );
};

/** Another technician, or the desk, while this draft was being written. */
export const ChangedMeanwhile = () => {
  const { rules } = useWhatIsKnown();
  const desk = useDraft();
  const names = useNames();
  const { value } = rules;
  if (value === null || !desk.isOvertaken) return null;
  const theirs = value.input_rules;
  const yours = desk.rules.map(plainRule);
  return (
    <TwoLists
      heading={changedWords.heading}
      text={`${changedWords.text} ${changedWords.why}`}
      yours={{ title: changedWords.yours, rules: yours }}
      theirs={{ title: changedWords.theirs, rules: theirs }}
      names={names}
    >
      <Press look="primary" press={() => desk.settle(value, mergedRules(desk.before, yours, theirs))}>
        {changedWords.merge}
      </Press>
      <Press press={() => desk.settle(value, yours)}>{changedWords.takeYours}</Press>
      <Press press={() => desk.settle(value, theirs)}>{changedWords.takeTheirs}</Press>
    </TwoLists>
  );
};
