/** The few small things that outlive a restart. */
export type StateKey =
  | 'lockouts'
  | 'door_modes'
  | 'time_floor'
  | 'bridge_time'
  | 'sequence_ceiling'
  | 'schedule_watch'
  | 'revocations'
  | 'bound_to'
  | 'gadget_places'
  | 'local_rules'
  | 'down_window'
  | 'revoke_window'
  | 'bridge_contact'
  | 'provisional_rules'
  | 'commissioning'
  | 'rule_copies'
  | 'site_directory'
  | 'technician_try_lockout'
  | 'technician_tests'
  | 'technician_lockout';

export class StateStoreFailure extends Error {
  override readonly name = 'StateStoreFailure';
}

export interface StateStore {
  /** Undefined when there is nothing, or what there was cannot be read any more. */
  read(key: StateKey): unknown;
  /** JSON. Flushed when it returns; the old value or the new one survives a power cut, never half of each. Throws StateStoreFailure. */
  write(key: StateKey, value: unknown): void;
}
