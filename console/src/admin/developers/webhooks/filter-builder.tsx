import { Button } from '../../../design/controls.tsx';
import { addIcon, deleteIcon } from '../../../design/icons.ts';
import { useMessages } from '../../messages/language.ts';
import {
  changeFilterTerm,
  type WebhookFilterTerm,
  filterObjectTypes,
  filterVerbs,
  objectTypeOf,
  otherConditionsOf,
} from './filter-terms.ts';

interface RuleFieldsProps {
  readonly rule: WebhookFilterTerm;
  readonly number: number;
  readonly onChange: (rule: WebhookFilterTerm) => void;
  readonly onRemove: () => void;
}

const RuleFields = ({ rule, number, onChange, onRemove }: RuleFieldsProps) => {
  const { webhooks } = useMessages();
  const others = otherConditionsOf(rule);
  return (
    <li class="filter-rule">
      <select
        aria-label={webhooks.ruleType(number)}
        value={objectTypeOf(rule)}
        onChange={event => onChange(changeFilterTerm(rule, { type: event.currentTarget.value }))}
      >
        {others.length === 0 ? null : <option value="">{webhooks.anyType}</option>}
        {filterObjectTypes.map(type => (
          <option key={type} value={type}>
            {webhooks.types[type]}
          </option>
        ))}
      </select>
      <select
        aria-label={webhooks.ruleVerb(number)}
        value={rule['verb'] ?? ''}
        onChange={event => onChange(changeFilterTerm(rule, { verb: event.currentTarget.value }))}
      >
        <option value="">{webhooks.anyVerb}</option>
        {filterVerbs.map(verb => (
          <option key={verb} value={verb}>
            {webhooks.verbs[verb]}
          </option>
        ))}
      </select>
      <Button icon={deleteIcon} variant="plain" label={webhooks.removeRule(number)} onPress={onRemove} />
      {others.length === 0 ? null : (
        <p class="quiet small">{others.map(([name, value]) => `${name} = ${value}`).join(', ')}</p>
      )}
    </li>
  );
};

interface FilterBuilderProps {
  readonly rules: readonly WebhookFilterTerm[];
  readonly onChange: (rules: readonly WebhookFilterTerm[]) => void;
}

/** Which events a webhook receives: those that match one of the rules. */
export const WebhookFilterBuilder = ({ rules, onChange }: FilterBuilderProps) => {
  const { webhooks } = useMessages();
  return (
    <fieldset class="filter-builder">
      <legend>{webhooks.filter}</legend>
      <p class="quiet small">{webhooks.filterHint}</p>
      <ul>
        {rules.map((rule, index) => (
          <RuleFields
            key={index}
            rule={rule}
            number={index + 1}
            onChange={changed => onChange(rules.with(index, changed))}
            onRemove={() => onChange(rules.toSpliced(index, 1))}
          />
        ))}
      </ul>
      <Button icon={addIcon} onPress={() => onChange([...rules, { object_type: 'gadget_action', verb: 'use' }])}>
        {webhooks.addRule}
      </Button>
    </fieldset>
  );
};
