/** `error` describes the defect that ended the turn; it has been reported as a fault. */
export type ControllerTurnResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** Handles one input of the controller: no other input comes between. */
export type RunControllerTurn = <T>(work: () => T) => ControllerTurnResult<T>;
