/** Delivery of one event to one webhook: pending, and later its result. */
export interface WebhookDeliveryRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  created_at: number;
  /** The event's `recorded_at`. A webhook receives its events in this order. */
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
  /** Time of the first attempt. The retry window starts here. */
  tried_since: number | null;
  /** Request body, kept while a retry is possible. */
  body: string | null;
}

/** Queue of a webhook and its lease. Any bridge may take an expired lease. */
export interface WebhookQueueRow {
  webhook_id: string;
  lease_owner: string | null;
  lease_until: number;
  /** Time of the first failed attempt since the last success. */
  failing_since: number | null;
}

/** State of a schedule at a site at the last check of its schedule triggers. */
export interface ScheduleTriggerStateRow {
  site_id: string;
  schedule_id: string;
  organization_id: string;
  is_inside: 0 | 1;
}
