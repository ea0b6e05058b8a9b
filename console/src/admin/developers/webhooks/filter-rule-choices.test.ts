import { eventObjectTypes, eventVerbs } from '@lintel/wire-protocol/rest/event-verbs-and-object-types';
import { describe, expect, it } from 'vitest';
import { changeWebhookFilterRule, listWebhookFilterVerbs, webhookFilterObjectTypes } from './filter-rule-choices.ts';

describe('filter of a webhook', () => {
  it('offers every object type and verb of the API, each verb only where it occurs', () => {
    expect(webhookFilterObjectTypes.toSorted()).toEqual(eventObjectTypes.toSorted());
    const verbs = webhookFilterObjectTypes.flatMap(type => listWebhookFilterVerbs({ object_type: type }));
    expect([...new Set(verbs)].toSorted()).toEqual(eventVerbs.toSorted());
    expect(listWebhookFilterVerbs({ object_type: 'gadget_action' })).toEqual(['use', 'deny']);
    expect(listWebhookFilterVerbs({ object_type: 'member' })).toEqual(['create', 'edit', 'delete', 'check']);
    expect(listWebhookFilterVerbs({ object_type: 'tag', verb: 'reveal' })).toContain('reveal');
  });

  it('selects all events of another object type', () => {
    expect(changeWebhookFilterRule({ object_type: 'gadget_action', verb: 'use' }, { type: 'member' })).toEqual({
      object_type: 'member',
    });
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
