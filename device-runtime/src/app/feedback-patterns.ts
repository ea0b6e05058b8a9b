import type { ActionStep } from '@lintel/access-core/door/action-steps';
import type { DoorEffect } from '@lintel/access-core/door/door-effects';
import type { Feedback } from '@lintel/access-core/key-entry-model';

type DoorFeedback = Extract<DoorEffect, { type: 'feedback' }>['kind'];
export type FeedbackKind = Feedback | DoorFeedback | 'granted' | 'denied';

/** Patterns that a product has in place of the usual ones. */
export type FeedbackChanges = Readonly<Partial<Record<FeedbackKind, readonly ActionStep[]>>>;

type Light = 'green' | 'red' | 'buzzer';

const pulse = (output: Light, ms: number): ActionStep => ({ step: 'pulse', output, ms });
const on = (output: Light): ActionStep => ({ step: 'on', output });
const off = (output: Light): ActionStep => ({ step: 'off', output });
const wait = (ms: number): ActionStep => ({ step: 'wait', ms });

const refusal = [
  pulse('red', 1_000),
  pulse('buzzer', 100),
  wait(200),
  pulse('buzzer', 100),
  wait(200),
  pulse('buzzer', 100),
];

/** What a person sees and hears. A refusal looks the same whatever its reason: the door gives nothing away. */
export const usualPatterns: Readonly<Record<FeedbackKind, readonly ActionStep[]>> = {
  key_taken: [pulse('buzzer', 30)],
  rule_armed: [pulse('green', 200), pulse('buzzer', 30)],
  dropped: refusal,
  cleared: [pulse('buzzer', 200)],
  forgotten: [pulse('red', 200)],
  locked_out: [pulse('red', 2_000), pulse('buzzer', 500)],
  granted: [pulse('green', 2_000), pulse('buzzer', 300)],
  denied: refusal,
  refused: refusal,
  quiet: [off('buzzer'), off('red')],
  pre_alarm: [on('buzzer')],
  held_open: [on('red'), on('buzzer')],
  forced: [on('red'), on('buzzer')],
};
