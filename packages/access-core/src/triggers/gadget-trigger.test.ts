import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GadgetId, SiteId } from '../ids.ts';
import { parseTriggerDefinition, type TriggerGadget, type TriggerLookups } from './gadget-trigger.ts';

const gadget = (site: string): TriggerGadget => ({
  site_id: site as SiteId,
  action_ids: ['open', 'on'],
  state_ids: ['open', 'locked'],
  signal_ids: ['forced'],
});

const gadgets = new Map<string, TriggerGadget>([
  ['gad_door', gadget('site_main')],
  ['gad_light', gadget('site_main')],
  ['gad_island', gadget('site_main')],
  ['gad_far', gadget('site_other')],
]);

const lookups: TriggerLookups = {
  gadget: id => gadgets.get(id),
  hasSchedule: id => (id as string) === 'sch_day',
  localPathProblem: (_source, target) => (target === ('gad_island' as GadgetId) ? 'must be reachable' : null),
};

const target = { target_gadget_id: 'gad_light', target_action_id: 'on' };
const onState = { source_type: 'state', source_gadget_id: 'gad_door', source_state_id: 'open', ...target };
const onSignal = { source_type: 'signal', source_gadget_id: 'gad_door', source_signal_id: 'forced', ...target };
const onSchedule = {
  source_type: 'schedule',
  source_schedule_id: 'sch_day',
  source_schedule_event: 'enter',
  ...target,
};

const problemsOf = (input: unknown, path?: string): string[] => {
  const parsed = parseTriggerDefinition(input, lookups, path);
  return parsed.ok ? [] : parsed.problems.map(({ path: where, code }) => `${where} ${code}`);
};

describe('parseTriggerDefinition', () => {
  it('connects a state, a signal or a schedule to an action at the site of its target', () => {
    expect(parseTriggerDefinition(onState, lookups)).toEqual({ ok: true, value: { ...onState, site_id: 'site_main' } });
    expect(parseTriggerDefinition(onSignal, lookups)).toEqual({
      ok: true,
      value: { ...onSignal, site_id: 'site_main' },
    });
    expect(parseTriggerDefinition(onSchedule, lookups)).toEqual({
      ok: true,
      value: { ...onSchedule, source_gadget_id: null, site_id: 'site_main' },
    });
  });

  it('accepts a source gadget beside a schedule, if it is at the same site', () => {
    expect(problemsOf({ ...onSchedule, source_gadget_id: 'gad_door' })).toEqual([]);
    expect(problemsOf({ ...onSchedule, source_gadget_id: 'gad_far' })).toEqual(['target_gadget_id other_site']);
  });

  it('accepts only the fields of its kind of source; null means absent', () => {
    expect(problemsOf({ ...onState, source_signal_id: null, source_schedule_id: null })).toEqual([]);
    expect(problemsOf({ ...onState, source_signal_id: 'forced', source_schedule_event: 'enter' })).toEqual([
      'source_signal_id not_allowed',
      'source_schedule_event not_allowed',
    ]);
    expect(problemsOf({ ...onSchedule, source_state_id: 'open' })).toEqual(['source_state_id not_allowed']);
  });

  it('requires the field of its kind of source', () => {
    expect(problemsOf({ ...onState, source_state_id: null })).toEqual(['source_state_id unknown_reference']);
    expect(problemsOf({ ...onSignal, source_signal_id: undefined })).toEqual(['source_signal_id unknown_reference']);
    expect(problemsOf({ ...onState, source_gadget_id: null })).toEqual(['source_gadget_id invalid_id']);
    expect(problemsOf({ source_type: 'schedule', ...target })).toEqual([
      'source_schedule_id invalid_id',
      'source_schedule_event invalid_choice',
    ]);
  });

  it('rejects a schedule event other than enter and exit', () => {
    expect(problemsOf({ ...onSchedule, source_schedule_event: 'leave' })).toEqual([
      'source_schedule_event invalid_choice',
    ]);
  });

  it('requires states, signals and actions that the gadgets have', () => {
    expect(problemsOf({ ...onState, source_state_id: 'ajar' })).toEqual(['source_state_id unknown_reference']);
    expect(problemsOf({ ...onSignal, source_signal_id: 'open' })).toEqual(['source_signal_id unknown_reference']);
    expect(problemsOf({ ...onState, target_action_id: 'explode' })).toEqual(['target_action_id unknown_reference']);
  });

  it('requires gadgets and schedules that exist', () => {
    expect(problemsOf({ ...onState, source_gadget_id: 'gad_gone' })).toEqual(['source_gadget_id unknown_reference']);
    expect(problemsOf({ ...onState, target_gadget_id: 'gad_gone' })).toEqual(['target_gadget_id unknown_reference']);
    expect(problemsOf({ ...onSchedule, source_schedule_id: 'sch_gone' })).toEqual([
      'source_schedule_id unknown_reference',
    ]);
  });

  it('requires one site and a local path', () => {
    expect(problemsOf({ ...onState, target_gadget_id: 'gad_far' })).toEqual(['target_gadget_id other_site']);
    expect(problemsOf({ ...onState, target_gadget_id: 'gad_island' })).toEqual(['target_gadget_id no_local_path']);
  });

  it('rejects an unknown field or kind of source with its path', () => {
    expect(problemsOf({ ...onState, colour: 'red' }, 'gadget_triggers.3')).toEqual([
      'gadget_triggers.3.colour unknown_field',
    ]);
    expect(problemsOf({ ...onState, source_type: 'toString' })).toEqual(['source_type invalid_choice']);
  });

  it('never throws', () => {
    const almost = fc.record({
      source_type: fc.constantFrom('state', 'signal', 'schedule', 'constructor'),
      source_gadget_id: fc.oneof(fc.constant('gad_door'), fc.anything()),
      source_state_id: fc.anything(),
      target_gadget_id: fc.oneof(fc.constant('gad_light'), fc.anything()),
      target_action_id: fc.oneof(fc.constant('on'), fc.anything()),
    });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), almost), input => {
        const parsed = parseTriggerDefinition(input, lookups);
        expect(parsed.ok || parsed.problems.length > 0).toBe(true);
      }),
    );
  });
});
