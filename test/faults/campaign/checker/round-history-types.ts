import type { AccessChange } from './access-model.ts';

/** A write in the order of the only writer. It takes effect at some time after `issuedAt`. */
export interface WriteRecord {
  readonly issuedAt: number;
  readonly change: AccessChange;
}

/** A use event as the controller recorded it. */
export interface DoorEvent {
  readonly id: string;
  readonly sequence: number;
  readonly occurredAt: number;
  readonly isTimeTrusted: boolean;
}

export interface Presentation {
  readonly door: string;
  readonly card: string;
  readonly presentedAt: number;
  readonly answeredAt: number;
  /** `unknown`: the controller was killed before it answered. */
  readonly outcome: 'granted' | 'denied' | 'unknown';
  /** The use event, or null when the controller reported none. */
  readonly event: DoorEvent | null;
  /** The controller did not know the time. */
  readonly isTimeUntrusted?: boolean;
}

/** A fault that may destroy data of a controller. */
export interface DamageRecord {
  readonly door: string;
  readonly at: number;
  readonly data: 'events' | 'access';
}

export interface ApiEvent {
  readonly id: string;
  readonly door: string | null;
  readonly isUse: boolean;
  readonly createdAt: number;
  /** Sequence numbers that the controller reports as lost. */
  readonly lost: { readonly first: number; readonly last: number } | null;
}

export interface DoorCheck {
  readonly door: string;
  /** What did not become true in time; null when the controller decides as the model does and has uploaded everything. */
  readonly problem: string | null;
  readonly isUnlocked: boolean;
}

/** What one round of the campaign observed. Times are milliseconds since 1970 of the machine. */
export interface RoundHistory {
  readonly initial: readonly AccessChange[];
  readonly writes: readonly WriteRecord[];
  readonly presentations: readonly Presentation[];
  readonly damages: readonly DamageRecord[];
  /** By `recorded_at`. */
  readonly api: readonly ApiEvent[];
  /** Event ids of each client that follows the log, in the order of arrival. */
  readonly followers: Readonly<Record<string, readonly string[]>>;
  /** Event ids that each webhook received. */
  readonly webhooks: Readonly<Record<string, ReadonlySet<string>>>;
  /** Acknowledged objects that the API does not return as they were acknowledged. */
  readonly lostWrites: readonly string[];
  readonly doors: readonly DoorCheck[];
  /** Parts that ended without having been killed. */
  readonly crashes: readonly string[];
}

export type ViolationKind =
  | 'forbidden_grant'
  | 'wrong_denial'
  | 'grant_without_event'
  | 'event_lost'
  | 'event_duplicated'
  | 'event_time_changed'
  | 'event_unexplained'
  | 'webhook_missing'
  | 'follower_gap'
  | 'follower_order'
  | 'follower_duplicate'
  | 'write_lost'
  | 'not_converged'
  | 'not_relocked'
  | 'part_ended';

export interface Violation {
  readonly kind: ViolationKind;
  readonly detail: string;
}
