import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { Button } from '../../design/controls.tsx';
import * as cloudConflictMessages from '../messages/english/cloud-conflict.ts';
import * as editConflictMessages from '../messages/english/edit-conflict.ts';
import { useControllerData } from '../state/controller-data.ts';
import { useAction } from '../state/use-action.ts';
import { useGadgetNames } from '../state/use-gadget-names.ts';
import { mergeRules } from './draft/merge-rules.ts';
import { useRuleDraft } from './draft/use-rule-draft.ts';
import { RuleComparison } from './rule-comparison.tsx';
import { plainRule } from './rule.ts';

/** Shown when the bridge did not accept rules that were applied here. */
export const CloudConflict = () => {
  const { rules } = useControllerData();
  const draft = useRuleDraft();
  const names = useGadgetNames();
  const { run, isBusy } = useAction();
  const { value } = rules;
  if (value === null || value.conflict === null) return null;
  const { yours, theirs, outcome, message } = value.conflict;
  const keep = async (version: 'yours' | 'theirs'): Promise<void> => {
    const path = '/input_rules/conflict';
    const result = await run<TechnicianRules>({ method: 'POST', path, body: { keep: version } });
    if (result !== null) rules.setValue(result);
  };
  return (
    <RuleComparison
      heading={cloudConflictMessages.heading}
      text={outcome === 'refused' ? cloudConflictMessages.rejected(message ?? '') : cloudConflictMessages.superseded}
      yours={{ title: cloudConflictMessages.yours, rules: yours }}
      theirs={{ title: cloudConflictMessages.cloud, rules: theirs }}
      names={names}
    >
      <Button variant="primary" isDisabled={isBusy} onPress={() => void keep('yours')}>
        {cloudConflictMessages.useYours}
      </Button>
      <Button isDisabled={isBusy} onPress={() => void keep('theirs')}>
        {cloudConflictMessages.useCloud}
      </Button>
      <Button isDisabled={isBusy} onPress={() => draft.resolve(value, mergeRules([], yours, theirs))}>
        {cloudConflictMessages.merge}
      </Button>
    </RuleComparison>
  );
};

/** Shown when the active rules changed while this draft was edited. */
export const EditConflict = () => {
  const { rules } = useControllerData();
  const draft = useRuleDraft();
  const names = useGadgetNames();
  const { value } = rules;
  if (value === null || !draft.isOutdated) return null;
  const theirs = value.input_rules;
  const yours = draft.rules.map(plainRule);
  return (
    <RuleComparison
      heading={editConflictMessages.heading}
      text={editConflictMessages.text}
      yours={{ title: editConflictMessages.yours, rules: yours }}
      theirs={{ title: editConflictMessages.current, rules: theirs }}
      names={names}
    >
      <Button variant="primary" onPress={() => draft.resolve(value, mergeRules(draft.before, yours, theirs))}>
        {editConflictMessages.merge}
      </Button>
      <Button onPress={() => draft.resolve(value, yours)}>{editConflictMessages.useYours}</Button>
      <Button onPress={() => draft.resolve(value, theirs)}>{editConflictMessages.useCurrent}</Button>
    </RuleComparison>
  );
};
