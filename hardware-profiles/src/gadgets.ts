import * as z from 'zod';
import { displayName, milliseconds, partId, partName } from './profile-parts.ts';

const HOUR_MS = 3_600_000;

const output = partName;
const stepMs = milliseconds(1, HOUR_MS);

/** `pulse` does not hold up the next step; `wait` does. */
export const actionStep = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('on'), output }),
  z.strictObject({ step: z.literal('off'), output }),
  z.strictObject({ step: z.literal('pulse'), output, ms: stepMs }),
  z.strictObject({ step: z.literal('wait'), ms: stepMs }),
]);

const anyGadget = { key: partName, name: displayName };

const door = z
  .strictObject({
    ...anyGadget,
    kind: z.literal('door'),
    /** The relay that opens; the lock is chosen so that it is locked without current, or the relay's other contact is used. */
    strike: output,
    strike_ms: milliseconds(100, 300_000).default(5_000),
    relock_on: z.enum(['time', 'open', 'close']).default('time'),
    /** A closed loop while the door is shut, so that a cut wire looks like an open door. */
    contact: z
      .strictObject({ input: partName, open_when: z.enum(['active', 'inactive']).default('inactive') })
      .optional(),
    exit_button: partName.optional(),
    held_open_ms: milliseconds(1_000, 24 * HOUR_MS).optional(),
    pre_alarm_ms: milliseconds(0, HOUR_MS).default(0),
    forced_alarm: z.boolean().optional(),
    forced_grace_ms: milliseconds(0, 60_000).default(2_000),
    /** Whose lights and buzzer speak for this door. */
    station: partName.optional(),
    actions: z
      .array(z.enum(['open', 'unlock', 'lock']))
      .min(1)
      .max(3)
      .default(['open', 'unlock', 'lock']),
  })
  .check(({ value, issues }) => {
    const refuse = (field: keyof typeof value, message: string): void => {
      issues.push({ code: 'custom', input: value[field], path: [field], message });
    };
    const { contact, relock_on, held_open_ms, forced_alarm, pre_alarm_ms, actions } = value;
    if (contact === undefined) {
      if (relock_on !== 'time') refuse('relock_on', 'needs a door contact');
      if (held_open_ms !== undefined) refuse('held_open_ms', 'needs a door contact');
      if (forced_alarm === true) refuse('forced_alarm', 'needs a door contact');
    }
    if (pre_alarm_ms > 0 && (held_open_ms === undefined || pre_alarm_ms >= held_open_ms))
      refuse('pre_alarm_ms', 'must be shorter than held_open_ms');
    if (new Set(actions).size < actions.length) refuse('actions', 'must not name an action twice');
    if (actions.includes('unlock') && !actions.includes('lock'))
      refuse('actions', 'must have lock beside unlock: nobody could lock the door again');
  });

const blind = z
  .strictObject({
    ...anyGadget,
    kind: z.literal('blind'),
    up: output,
    down: output,
    travel_ms: milliseconds(1_000, 600_000).default(60_000),
    dead_ms: milliseconds(100, 60_000).default(500),
  })
  .check(({ value: { up, down }, issues }) => {
    if (up !== down) return;
    issues.push({
      code: 'custom',
      input: down,
      path: ['down'],
      message: 'must not be the output of the other direction',
    });
  });

const steppedAction = z.strictObject({
  id: partId,
  name: displayName.optional(),
  steps: z.array(actionStep).min(1).max(64),
  /** What the gadget is in afterwards, when that is known. */
  state: partId.optional(),
});

/** Outputs that are never on together, and how long the others must have been off before one goes on. */
const outputInterlock = z
  .strictObject({ outputs: z.array(output).min(2).max(32), dead_ms: milliseconds(0, 60_000).default(0) })
  .check(({ value: { outputs }, issues }) => {
    if (new Set(outputs).size === outputs.length) return;
    issues.push({ code: 'custom', input: outputs, path: ['outputs'], message: 'must not name an output twice' });
  });

const stepped = z
  .strictObject({
    ...anyGadget,
    kind: z.enum(['gate', 'light', 'locker', 'elevator']),
    actions: z.array(steppedAction).min(1).max(64),
    states: z
      .array(z.strictObject({ id: partId, name: displayName }))
      .max(64)
      .default([]),
    /** What it is in while all its outputs are off. */
    resting_state: partId.optional(),
    interlocks: z.array(outputInterlock).max(32).default([]),
  })
  .check(({ value: { actions, states, resting_state, interlocks }, issues }) => {
    const refuse = (path: (string | number)[], message: string): void => {
      issues.push({ code: 'custom', input: undefined, path, message });
    };
    const known = new Set(states.map(({ id }) => id));
    if (known.size < states.length) refuse(['states'], 'must not have an id twice');
    if (new Set(actions.map(({ id }) => id)).size < actions.length) refuse(['actions'], 'must not have an id twice');
    for (const [index, { state }] of actions.entries())
      if (state !== undefined && !known.has(state)) refuse(['actions', index, 'state'], 'must be one of the states');
    if (resting_state !== undefined && !known.has(resting_state))
      refuse(['resting_state'], 'must be one of the states');
    const own = outputsInSteps(actions);
    for (const [index, { outputs }] of interlocks.entries())
      for (const [place, name] of outputs.entries())
        if (!own.has(name)) refuse(['interlocks', index, 'outputs', place], `${name} is not an output of this gadget`);
  });

/** The outputs that the steps of a gadget's actions switch. */
export const outputsInSteps = (actions: readonly z.infer<typeof steppedAction>[]): ReadonlySet<string> =>
  new Set(actions.flatMap(({ steps }) => steps.flatMap(step => (step.step === 'wait' ? [] : [step.output]))));

export const gadget = z.discriminatedUnion('kind', [door, blind, stepped], {
  error: 'must be a kind of gadget that exists',
});
export type ProfileGadget = z.infer<typeof gadget>;
export type GadgetOf<K extends ProfileGadget['kind']> = Extract<ProfileGadget, { kind: K }>;

/** Doors that open one at a time. */
export const doorInterlock = z.strictObject({
  gadgets: z.array(partName).min(2).max(16),
  /** Whoever is inside gets out whatever the other doors do; false only where there is always another way out. */
  egress_ignores_interlock: z.boolean().default(true),
});
