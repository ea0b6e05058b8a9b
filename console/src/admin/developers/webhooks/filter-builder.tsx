import type { WebhookFilterRule } from '@lintel/wire-protocol/rest/webhook-filter';
import { Button } from '../../../design/controls.tsx';
import { addIcon, deleteIcon } from '../../../design/icons.ts';
import { useMessages } from '../../messages/language.ts';
import {
  changeWebhookFilterRule,
  webhookFilterObjectTypes,
  webhookFilterPresets,
  getWebhookFilterObjectType,
  listWebhookFilterVerbs,
  listOtherWebhookFilterConditions,
} from './filter-rule-choices.ts';

interface RuleFieldsProps {
  readonly rule: WebhookFilterRule;
  readonly number: number;
  readonly onChange: (rule: WebhookFilterRule) => void;
  readonly onRemove: () => void;
}

const RuleFields = ({ rule, number, onChange, onRemove }: RuleFieldsProps) => {
  const { webhooks } = useMessages();
  const others = listOtherWebhookFilterConditions(rule);
  return (
    <li class="filter-rule">
      <select
        aria-label={webhooks.ruleType(number)}
        value={getWebhookFilterObjectType(rule)}
        onChange={event => onChange(changeWebhookFilterRule(rule, { type: event.currentTarget.value }))}
      >
        {others.length === 0 ? null : <option value="">{webhooks.anyType}</option>}
        {webhookFilterObjectTypes.map(type => (
          <option key={type} value={type}>
            {webhooks.types[type]}
          </option>
        ))}
      </select>
      <select
        aria-label={webhooks.ruleVerb(number)}
        value={rule['verb'] ?? ''}
        onChange={event => onChange(changeWebhookFilterRule(rule, { verb: event.currentTarget.value }))}
      >
        <option value="">{webhooks.anyVerb}</option>
        {listWebhookFilterVerbs(rule).map(verb => (
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
  readonly rules: readonly WebhookFilterRule[];
  readonly onChange: (rules: readonly WebhookFilterRule[]) => void;
}

/** Which events a webhook receives: those that match one of the rules. */
export const WebhookFilterBuilder = ({ rules, onChange }: FilterBuilderProps) => {
  const { webhooks } = useMessages();
  return (
    <fieldset class="filter-builder">
      <legend>{webhooks.filter}</legend>
      <div class="bar" role="group" aria-label={webhooks.presets}>
        {(Object.keys(webhookFilterPresets) as (keyof typeof webhookFilterPresets)[]).map(preset => (
          <Button key={preset} onPress={() => onChange(webhookFilterPresets[preset])}>
            {webhooks.presetNames[preset]}
          </Button>
        ))}
      </div>
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
