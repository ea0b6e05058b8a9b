import type { BlindEffect } from '@lintel/access-core/door/blind';
import type { DoorEffect } from '@lintel/access-core/door/door-effects';

/** A switch has whatever states its wiring names. */
type SwitchReport = { readonly type: 'report_state'; readonly state_id: string };

export type GadgetEffect = DoorEffect | BlindEffect | SwitchReport;

/** One thing to do, and the gadget it is about. */
export interface Told {
  readonly gadget_id: string;
  readonly effect: GadgetEffect;
}

/** What an action would do. Nothing has happened until `commit`. */
export interface Plan {
  readonly told: readonly Told[];
  /** Why it must not happen now; null when it may. */
  readonly refusal: string | null;
  commit(): void;
}
