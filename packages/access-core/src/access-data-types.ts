import type { Instant } from './instant.ts';
import type {
  GadgetId,
  GroupAssociationId,
  MemberCardId,
  MemberGroupId,
  MemberId,
  MemberMagicLinkId,
  MemberPinId,
  MemberTokenId,
  ScheduleId,
  SiteId,
} from './ids.ts';
import type { WeeklyTimeRanges } from './schedule.ts';

/*
 * The model of the permission calculation. Field names are those of the API, so that no translation is needed between
 * bridge, firmware and pages. Times are instants (milliseconds since 1970), not strings.
 */

export const accessMethods = ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'] as const;
export type AccessMethod = (typeof accessMethods)[number];

export interface Validity {
  readonly starts_at: Instant | null;
  readonly ends_at: Instant | null;
}

export interface PermissionRule {
  readonly site_id?: SiteId | null;
  readonly gadget_id?: GadgetId | null;
  readonly action_id?: string | null;
  readonly schedule_id?: ScheduleId | null;
  readonly presence?: 'none' | 'gps' | null;
  readonly access_methods?: Readonly<Partial<Record<AccessMethod, boolean>>> | null;
  readonly member_group_id?: MemberGroupId | null;
}

export interface MemberGroup {
  readonly id: MemberGroupId;
  readonly is_deleted: boolean;
  readonly permissions: readonly PermissionRule[];
}

export interface GroupAssociation extends Validity {
  readonly id: GroupAssociationId;
  readonly member_group_id: MemberGroupId;
}

/** A credential as a controller stores it: never the secret, only a digest under the key of the index owner. */
export interface PinCredential {
  readonly id: MemberPinId;
  readonly digest: string;
  /** Another PIN of the organization begins with these digits, so a keypad waits for another digit. */
  readonly extended?: true;
}
export interface CardCredential {
  readonly id: MemberCardId;
  readonly digest: string;
}
/** Shown to a reader as a QR code. */
export interface MagicLinkCredential {
  readonly id: MemberMagicLinkId;
  readonly digest: string;
}
export interface MemberTokenCredential {
  readonly id: MemberTokenId;
  readonly public_key: string;
}

/** Contains only associations and credentials that are not deleted. */
export interface Member extends Validity {
  readonly id: MemberId;
  readonly is_deleted: boolean;
  readonly group_associations: readonly GroupAssociation[];
  readonly pins: readonly PinCredential[];
  readonly cards: readonly CardCredential[];
  readonly tokens: readonly MemberTokenCredential[];
  /** Absent without any. */
  readonly magic_links?: readonly MagicLinkCredential[];
}

export interface Schedule {
  readonly id: ScheduleId;
  readonly is_deleted: boolean;
  readonly weekdays: WeeklyTimeRanges;
}

export interface SiteLocation {
  readonly lat: number;
  readonly lng: number;
}

export interface Site {
  readonly id: SiteId;
  readonly is_deleted: boolean;
  readonly timezone: string | null;
  readonly geo: { readonly location: SiteLocation; readonly radius: number } | null;
}

export interface Gadget {
  readonly id: GadgetId;
  readonly site_id: SiteId;
  readonly is_deleted: boolean;
  readonly action_ids: readonly string[];
}

export interface AccessRequest {
  readonly member_id: MemberId;
  readonly gadget_id: GadgetId;
  readonly action_id: string;
  readonly access_method: AccessMethod;
  readonly now: Instant;
  readonly time_trusted: boolean;
  readonly location?: SiteLocation | null;
  /** The credential was presented at a reader, so that the person is present with any access method. */
  readonly is_at_reader?: boolean;
}

/** In order of evaluation; see the permission calculation. */
export const permissionDenialReasons = [
  'member_deleted',
  'member_not_started',
  'member_ended',
  'no_group',
  'no_matching_rule',
  'method_not_allowed',
  'out_of_schedule',
  'not_present',
  'time_untrusted',
] as const;
export type PermissionDenialReason = (typeof permissionDenialReasons)[number];

/** Includes reasons that only a controller gives. */
export const denialReasons = [...permissionDenialReasons, 'unknown_credential', 'no_input_rule', 'locked_out'] as const;
export type DenialReason = (typeof denialReasons)[number];
