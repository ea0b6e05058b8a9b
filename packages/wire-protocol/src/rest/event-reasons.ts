import { denialReasons } from '@lintel/access-core/access-data-types';

/**
 * `bridge_behind`: controllers know more than the bridge, because its database was restored or has lost data.
 * `controller_ahead`: a controller reports data that the bridge never sent, too often or too much of it.
 * `device_event_flood`: a controller sends more events than happen at its doors.
 * `rules_refused`: a controller reports input rules without proof that a technician may set them.
 * `clock_ahead`: the clock of the bridge is ahead of the time that it expects, and something would be deleted by it.
 */
export const incidentKinds = [
  'bridge_behind',
  'clock_ahead',
  'controller_ahead',
  'device_event_flood',
  'rules_refused',
] as const;

/** Why or in which way something happened. The bridge logs no other reason; a newer one may know more. */
export const eventReasons = [
  ...denialReasons,
  ...incidentKinds,
  'alert_rule_created',
  'alert_rule_deleted',
  'alert_rule_edited',
  'card_enrollment',
  'card_stock',
  'certificate_renewed',
  'clock_confirmed',
  'commissioning_ended',
  'commissioning_made',
  'controller_confirmed',
  'controller_rejected',
  'controller_replaced',
  'controller_stolen',
  'controller_waits',
  'erased',
  'events_lost',
  'failing',
  'fault',
  'guest_page',
  'offline',
  'online',
  'output_tested',
  'profile_changed',
  'recovered',
  'replaced_controller_login',
  'release_added',
  'release_deleted',
  'rollout_cancelled',
  'rollout_created',
  'rollout_done',
  'rollout_halted',
  'rollout_paused',
  'rollout_running',
  'rules_confirmed',
  'rules_conflict',
  'rules_copied',
  'rules_edited',
  'rules_reverted',
  'secret_rotated',
  'sent_by_email',
  'status',
  'token_created',
  'token_revoked',
  'trigger_chain_stopped',
  /** A controller of a newer version reported something that this bridge does not know, see `details`. */
  'unknown_event',
  'update_rolled_back',
  'updated',
] as const;
export type EventReason = (typeof eventReasons)[number];
