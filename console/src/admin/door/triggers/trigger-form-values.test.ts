import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import { describe, expect, it } from 'vitest';
import { adminMessages } from '../../messages/en.ts';
import {
  describeGadgetTrigger,
  listTriggerEventOptions,
  SCHEDULE_TRIGGER_SOURCE,
  toGadgetTriggerRequestBody,
  toGadgetTriggerFormValues,
} from './trigger-form-values.ts';

const door = {
  id: 'gadget_1',
  name: 'Front door',
  actions: [{ id: 'open', name: 'Open' }],
  states: [{ id: 'unlocked', name: 'Unlocked' }],
  signals: [{ id: 'forced', name: 'Forced' }],
};
const objects = { doors: [door], schedules: [{ id: 'schedule_1', name: 'Night' }] } as unknown as Parameters<
  typeof describeGadgetTrigger
>[1];

const none = {
  source_gadget_id: null,
  source_state_id: null,
  source_signal_id: null,
  source_schedule_id: null,
  source_schedule_event: null,
};
const target = { target_gadget_id: 'gadget_1', target_action_id: 'open' };
const bodies = {
  state: { ...none, ...target, source_type: 'state', source_gadget_id: 'gadget_1', source_state_id: 'unlocked' },
  signal: { ...none, ...target, source_type: 'signal', source_gadget_id: 'gadget_1', source_signal_id: 'forced' },
  schedule: {
    ...none,
    ...target,
    source_type: 'schedule',
    source_schedule_id: 'schedule_1',
    source_schedule_event: 'exit',
  },
};
const sentences = {
  state: 'When Front door: Unlocked, then Front door: Open',
  signal: 'When Front door: Forced, then Front door: Open',
  schedule: 'When Night ends, then Front door: Open',
};

describe('trigger form', () => {
  it.each(['state', 'signal', 'schedule'] as const)('shows and saves a trigger of a %s', type => {
    const trigger = bodies[type] as unknown as GadgetTriggerResponse;
    const form = toGadgetTriggerFormValues(trigger);
    expect(toGadgetTriggerRequestBody(form)).toEqual(bodies[type]);
    expect(listTriggerEventOptions(form.source, objects, adminMessages).map(({ id }) => id)).toContain(form.event);
    expect(describeGadgetTrigger(trigger, objects, adminMessages)).toBe(sentences[type]);
  });

  it('offers the begin and the end of each schedule', () => {
    expect(listTriggerEventOptions(SCHEDULE_TRIGGER_SOURCE, objects, adminMessages).map(({ name }) => name)).toEqual([
      'Night begins',
      'Night ends',
    ]);
  });
});
