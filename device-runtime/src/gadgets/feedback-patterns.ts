import type { ActionStep } from '@lintel/access-core/gadgets/action-steps';
import type { FeedbackKind } from '@lintel/drivers/interfaces';

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

/** Lights and sounds. All denials look the same, so that they do not reveal the reason. */
export const defaultFeedbackPatterns: Readonly<Record<FeedbackKind, readonly ActionStep[]>> = {
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
