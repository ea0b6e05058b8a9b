/** One event on its way to one webhook, and afterwards the record of it. */
export interface WebhookDeliveryRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  created_at: number;
  /** The event's `recorded_at`: a webhook gets its events in this order. */
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
  /** The first of the attempts that are counted: from here the hour runs. */
  tried_since: number | null;
  /** What was sent, kept while it may have to be sent again. */
  body: string | null;
}

/** Who delivers for a webhook just now. A lease that has run out is anybody's. */
export interface WebhookLaneRow {
  webhook_id: string;
  lease_owner: string | null;
  lease_until: number;
  /** The first failed attempt since the last success. */
  failing_since: number | null;
}

/** Whether a site was inside a schedule when triggers that wait for it were last looked at. */
export interface ScheduleWatchRow {
  site_id: string;
  schedule_id: string;
  organization_id: string;
  is_inside: 0 | 1;
}
