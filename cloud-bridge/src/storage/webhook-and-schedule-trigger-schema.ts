/** Delivery of one event to one webhook: pending, and later its result. */
export interface WebhookDeliveryRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  created_at: number;
  /** The event's `recorded_at`. Events that are due are sent in this order. */
  position: number;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  request_url: string | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number | null;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  /**
   * The retry window starts here: the time of the first attempt, or the time when this event first waited because the
   * receiver failed as a whole.
   */
  tried_since: number | null;
  /** Request body, kept while a retry is possible. */
  body: string | null;
  /** How the delivered event differs from the configuration of the webhook. */
  note: string | null;
  /** 1: the last attempt found the receiver unreachable. The event is due when the receiver accepts another one. */
  awaits_receiver: 0 | 1;
}

/** Queue of a webhook, its lease and the health of its receiver. Any bridge may take an expired lease. */
export interface WebhookQueueRow {
  webhook_id: string;
  lease_owner: string | null;
  lease_until: number;
  /** Time of the first failed attempt since the last success. */
  failing_since: number | null;
  /** JSON array: the deliveries that failed with a server error since the last other response. */
  failed_deliveries: string;
  /** How often the receiver as a whole was backed off since the last success. */
  backoffs: number;
  /** Nothing is sent to the receiver before this time. */
  resume_at: number;
}

/** State of a schedule at a site at the last check of its schedule triggers. */
export interface ScheduleTriggerStateRow {
  site_id: string;
  schedule_id: string;
  organization_id: string;
  is_inside: 0 | 1;
}
