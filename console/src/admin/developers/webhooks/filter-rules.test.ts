import { eventObjectTypes, eventVerbs } from '@lintel/wire-protocol/rest/event-terms';
import { describe, expect, it } from 'vitest';
import { changeWebhookFilterRule, webhookFilterObjectTypes, webhookFilterVerbs } from './filter-rules.ts';

describe('filter of a webhook', () => {
  it('offers every object type and verb of the API', () => {
    expect(webhookFilterObjectTypes.toSorted()).toEqual(eventObjectTypes.toSorted());
    expect(webhookFilterVerbs.toSorted()).toEqual(eventVerbs.toSorted());
  });

  it('changes type and verb of a rule and keeps its other conditions', () => {
    const rule = { 'object.type': 'member', verb: null, 'object.gadget_id': 'gad_1' };
    expect(changeWebhookFilterRule(rule, { verb: 'edit' })).toEqual({
      object_type: 'member',
      verb: 'edit',
      'object.gadget_id': 'gad_1',
    });
    expect(changeWebhookFilterRule({ object_type: 'member', verb: 'edit' }, { verb: '' })).toEqual({
      object_type: 'member',
    });
  });
});
