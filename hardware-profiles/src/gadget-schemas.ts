import * as z from 'zod';
import {
  rssiThresholdSchema,
  displayNameSchema,
  createMillisecondsSchema,
  gadgetPartIdSchema,
  partNameSchema,
} from '@lintel/drivers/settings';

const HOUR_MS = 3_600_000;

const output = partNameSchema;
const stepMs = createMillisecondsSchema(1, HOUR_MS);

/** `wait` delays the next step; `pulse` does not. */
export const actionStepSchema = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('on'), output }),
  z.strictObject({ step: z.literal('off'), output }),
  z.strictObject({ step: z.literal('pulse'), output, ms: stepMs }),
  z.strictObject({ step: z.literal('wait'), ms: stepMs }),
]);

const anyGadget = { key: partNameSchema, name: displayNameSchema };

const door = z
  .strictObject({
    ...anyGadget,
    kind: z.literal('door'),
    /** The lock output. Its off state must be the locked state: choose the lock or the relay contact accordingly. */
    strike: output,
    strike_ms: createMillisecondsSchema(100, 300_000).default(5_000),
    relock_on: z.enum(['time', 'open', 'close']).default('time'),
    /** Normally closed, so that a cut wire looks like an open door. */
    contact: z
      .strictObject({ input: partNameSchema, open_when: z.enum(['active', 'inactive']).default('inactive') })
      .optional(),
    exit_button: partNameSchema.optional(),
    held_open_ms: createMillisecondsSchema(1_000, 24 * HOUR_MS).optional(),
    pre_alarm_ms: createMillisecondsSchema(0, HOUR_MS).default(0),
    forced_alarm: z.boolean().optional(),
    forced_grace_ms: createMillisecondsSchema(0, 60_000).default(2_000),
    /** The station whose lights and buzzer give feedback for this door. */
    station: partNameSchema.optional(),
    /** For phones over Bluetooth, in place of the one of the profile. */
    rssi_threshold: rssiThresholdSchema.optional(),
    actions: z
      .array(z.enum(['open', 'unlock', 'lock']))
      .min(1)
      .max(3)
      .default(['open', 'unlock', 'lock']),
  })
  .check(({ value, issues }) => {
    const report = (field: keyof typeof value, message: string): void => {
      issues.push({ code: 'custom', input: value[field], path: [field], message });
    };
    const { contact, relock_on, held_open_ms, forced_alarm, pre_alarm_ms, actions } = value;
    if (contact === undefined) {
      if (relock_on !== 'time') report('relock_on', 'requires a door contact');
      if (held_open_ms !== undefined) report('held_open_ms', 'requires a door contact');
      if (forced_alarm === true) report('forced_alarm', 'requires a door contact');
    }
    if (pre_alarm_ms > 0 && (held_open_ms === undefined || pre_alarm_ms >= held_open_ms))
      report('pre_alarm_ms', 'must be shorter than held_open_ms');
    if (new Set(actions).size < actions.length) report('actions', 'must not contain an action twice');
    if (actions.includes('unlock') && !actions.includes('lock'))
      report('actions', 'must include "lock" if it includes "unlock", otherwise the door cannot be locked again');
  });

const blind = z
  .strictObject({
    ...anyGadget,
    kind: z.literal('blind'),
    up: output,
    down: output,
    travel_ms: createMillisecondsSchema(1_000, 600_000).default(60_000),
    dead_ms: createMillisecondsSchema(100, 60_000).default(500),
  })
  .check(({ value: { up, down }, issues }) => {
    if (up !== down) return;
    issues.push({
      code: 'custom',
      input: down,
      path: ['down'],
      message: 'must differ from the output of the other direction',
    });
  });

const steppedAction = z.strictObject({
  id: gadgetPartIdSchema,
  name: displayNameSchema.optional(),
  steps: z.array(actionStepSchema).min(1).max(64),
  /** State of the gadget after the action, if known. */
  state: gadgetPartIdSchema.optional(),
});

/** Outputs that are never on together. `dead_ms`: pause between switching one off and another on. */
const outputInterlock = z
  .strictObject({ outputs: z.array(output).min(2).max(32), dead_ms: createMillisecondsSchema(0, 60_000).default(0) })
  .check(({ value: { outputs }, issues }) => {
    if (new Set(outputs).size === outputs.length) return;
    issues.push({ code: 'custom', input: outputs, path: ['outputs'], message: 'must not contain an output twice' });
  });

const stepped = z
  .strictObject({
    ...anyGadget,
    kind: z.enum(['gate', 'light', 'locker', 'elevator']),
    actions: z.array(steppedAction).min(1).max(64),
    states: z
      .array(z.strictObject({ id: gadgetPartIdSchema, name: displayNameSchema }))
      .max(64)
      .default([]),
    /** State while all outputs are off. */
    resting_state: gadgetPartIdSchema.optional(),
    interlocks: z.array(outputInterlock).max(32).default([]),
  })
  .check(({ value: { actions, states, resting_state, interlocks }, issues }) => {
    const report = (path: (string | number)[], message: string): void => {
      issues.push({ code: 'custom', input: undefined, path, message });
    };
    const known = new Set(states.map(({ id }) => id));
    if (known.size < states.length) report(['states'], 'must not contain an id twice');
    if (new Set(actions.map(({ id }) => id)).size < actions.length) report(['actions'], 'must not contain an id twice');
    for (const [index, { state }] of actions.entries())
      if (state !== undefined && !known.has(state)) report(['actions', index, 'state'], 'must be one of the states');
    if (resting_state !== undefined && !known.has(resting_state))
      report(['resting_state'], 'must be one of the states');
    const own = listOutputsInSteps(actions);
    for (const [index, { outputs }] of interlocks.entries())
      for (const [place, name] of outputs.entries())
        if (!own.has(name)) report(['interlocks', index, 'outputs', place], `${name} is not an output of this gadget`);
  });

/** The outputs that the actions switch. */
export const listOutputsInSteps = (actions: readonly z.infer<typeof steppedAction>[]): ReadonlySet<string> =>
  new Set(actions.flatMap(({ steps }) => steps.flatMap(step => (step.step === 'wait' ? [] : [step.output]))));

export const gadgetSchema = z.discriminatedUnion('kind', [door, blind, stepped], {
  error: 'must have a known kind',
});
export type ProfileGadget = z.infer<typeof gadgetSchema>;
export type ProfileGadgetOfKind<K extends ProfileGadget['kind']> = Extract<ProfileGadget, { kind: K }>;

/** Doors of which only one may be open at a time. */
export const doorInterlockSchema = z.strictObject({
  gadgets: z.array(partNameSchema).min(2).max(16),
  /** The exit button works regardless of the other doors. Set to false only if there is always another exit. */
  egress_ignores_interlock: z.boolean().default(true),
});
