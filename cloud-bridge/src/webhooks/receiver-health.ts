import type { WebhookQueueRow } from '../storage/webhook-and-schedule-trigger-schema.ts';
import { computeJitteredBackoff, WEBHOOK_RETRY_WINDOW_MS } from './retry-policy.ts';
import type { WebhookPostResult } from './webhook-client.ts';

/** Whether the receiver as a whole works, which decides when the next event is sent to it. */
export interface WebhookReceiverHealth {
  /** Time of the first failed attempt since the last success. */
  readonly failingSince: number | null;
  /** The last deliveries that failed with a server error, without another response in between. */
  readonly failedDeliveries: readonly string[];
  /** How often the receiver was backed off since the last success. */
  readonly backoffs: number;
  /** Nothing is sent before this time. */
  readonly resumeAt: number;
}

export const healthyWebhookReceiver: WebhookReceiverHealth = {
  failingSince: null,
  failedDeliveries: [],
  backoffs: 0,
  resumeAt: 0,
};

export type WebhookHealthColumns = Pick<
  WebhookQueueRow,
  'failing_since' | 'failed_deliveries' | 'backoffs' | 'resume_at'
>;

export const toWebhookReceiverHealth = ({
  failing_since,
  failed_deliveries,
  backoffs,
  resume_at,
}: WebhookHealthColumns): WebhookReceiverHealth =>
  failing_since === null && backoffs === 0
    ? healthyWebhookReceiver
    : {
        failingSince: failing_since,
        failedDeliveries: JSON.parse(failed_deliveries) as string[],
        backoffs,
        resumeAt: resume_at,
      };

export const toWebhookHealthColumns = (health: WebhookReceiverHealth): WebhookHealthColumns => ({
  failing_since: health.failingSince,
  failed_deliveries: JSON.stringify(health.failedDeliveries),
  backoffs: health.backoffs,
  resume_at: health.resumeAt,
});

/** Server errors for this many events in a row are a failure of the receiver, not of the events. */
const SERVER_ERROR_LIMIT = 3;
/** A receiver that is down is tried at least this often while events are due. */
const BACKOFF = { firstMs: 3000, longestMs: 60_000 };
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;

/** True when the whole receiver asks for a pause. */
const asksForPause = ({ responseStatus, retryAfterMs }: WebhookPostResult): boolean =>
  responseStatus === TOO_MANY_REQUESTS || (responseStatus === SERVICE_UNAVAILABLE && retryAfterMs !== null);

/** A connection that breaks or times out counts as a server error: the event may be the cause. */
const isServerError = ({ responseStatus }: WebhookPostResult): boolean =>
  responseStatus === null || responseStatus >= 500;

export interface WebhookReceiverFailure {
  readonly deliveryId: string;
  readonly result: WebhookPostResult;
  readonly startedAt: number;
  readonly now: number;
  /** 0 up to 1. */
  readonly random: number;
}

export const computeReceiverHealthAfterFailure = (
  health: WebhookReceiverHealth,
  request: WebhookReceiverFailure,
): WebhookReceiverHealth => {
  const { deliveryId, result, startedAt, now, random } = request;
  const failingSince = health.failingSince ?? startedAt;
  const isPause = asksForPause(result);
  // Any other response shows that the receiver works and rejects only this event.
  if (!isPause && !isServerError(result)) return { ...healthyWebhookReceiver, failingSince };
  const others = health.failedDeliveries.filter(id => id !== deliveryId);
  const failedDeliveries =
    isPause || result.isUnreachable ? health.failedDeliveries : [...others, deliveryId].slice(-SERVER_ERROR_LIMIT);
  const isBackedOff = isPause || result.isUnreachable || failedDeliveries.length >= SERVER_ERROR_LIMIT;
  if (!isBackedOff) return { ...health, failingSince, failedDeliveries };
  const pauseMs = isPause ? Math.min(result.retryAfterMs ?? 0, WEBHOOK_RETRY_WINDOW_MS) : 0;
  const waitMs = Math.max(computeJitteredBackoff(BACKOFF, health.backoffs, random), pauseMs);
  return { failingSince, failedDeliveries, backoffs: health.backoffs + 1, resumeAt: now + waitMs };
};

/**
 * A backed-off receiver gets one event at a time: the oldest one that is due. If server errors continue, every second
 * one is an event that was never sent, so that events which the receiver cannot process do not block the others.
 */
export const prefersUntriedEvent = ({ failedDeliveries, backoffs }: WebhookReceiverHealth): boolean =>
  failedDeliveries.length >= SERVER_ERROR_LIMIT && backoffs % 2 === 0;

export const isWebhookReceiverBackedOff = ({ backoffs }: WebhookReceiverHealth): boolean => backoffs > 0;
