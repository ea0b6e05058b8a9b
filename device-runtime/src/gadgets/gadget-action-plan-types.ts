import type { BlindEffect } from '@lintel/access-core/gadgets/blind';
import type { DoorEffect } from '@lintel/access-core/door/door-effects';

/** The wiring defines the states of a switch. */
type SwitchReport = { readonly type: 'report_state'; readonly state_id: string };

export type GadgetStateEffect = DoorEffect | BlindEffect | SwitchReport;

/** An effect on a gadget. */
export interface GadgetCommand {
  readonly gadget_id: string;
  readonly effect: GadgetStateEffect;
}

/** The commands of an action. Nothing changes before `commit`. */
export interface GadgetActionPlan {
  readonly commands: readonly GadgetCommand[];
  /** Why an interlock blocks it; null when it does not. */
  readonly interlockReason: string | null;
  commit(): void;
}
