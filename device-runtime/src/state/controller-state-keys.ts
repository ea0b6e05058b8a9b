import type { KeyValueStore as KeyedStateStore } from '@lintel/service/data-folder/key-value-store-interface';

/** The keys of the controller's state. */
export type ControllerStateKey =
  | 'lockouts'
  | 'door_modes'
  | 'time_floor'
  | 'clock'
  | 'event_times'
  | 'bridge_time'
  | 'sequence_ceiling'
  | 'resend_events'
  | 'schedule_watch'
  | 'revocations'
  | 'revocations_copy'
  | 'door_structure'
  | 'bound_to'
  | 'gadget_places'
  | 'local_rules'
  | 'replaced'
  | 'down_window'
  | 'revoke_window'
  | 'bridge_contact'
  | 'provisional_rules'
  | 'commissioning'
  | 'rules_history'
  | 'site_directory'
  | 'technician_try_lockout'
  | 'technician_tests'
  | 'technician_lockout';

export type ControllerStateStore = KeyedStateStore<ControllerStateKey>;
