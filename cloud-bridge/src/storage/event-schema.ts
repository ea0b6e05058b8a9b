type Flag = 0 | 1;
type Json = string;

export interface OrganizationEventRow {
  id: string;
  organization_id: string;
  created_at: number;
  /** Microseconds, strictly increasing within the organization in commit order. */
  recorded_at: number;
  verb: string;
  reason: string | null;
  details: Json | null;
  /** RecordedChanges. Only for the audit log, not in the event of the API. */
  changes: Json | null;
  time_trusted: Flag | null;
  /** The controller that reported the event. */
  reported_by: string | null;
  subject_member_id: string | null;
  subject_member_email_id: string | null;
  subject_member_magic_link_id: string | null;
  subject_member_pin_id: string | null;
  subject_member_card_id: string | null;
  subject_member_token_id: string | null;
  subject_user_id: string | null;
  subject_oauth_application_id: string | null;
  subject_device_id: string | null;
  subject_access_method: string | null;
  subject_ip_address: string | null;
  subject_client: Json | null;
  object_type: string;
  object_device_id: string | null;
  object_gadget_id: string | null;
  object_gadget_action_id: string | null;
  object_gadget_state_id: string | null;
  object_gadget_signal_id: string | null;
  object_gadget_trigger_id: string | null;
  object_member_id: string | null;
  object_member_email_id: string | null;
  object_member_magic_link_id: string | null;
  object_member_group_id: string | null;
  object_member_group_association_id: string | null;
  object_member_pin_id: string | null;
  object_member_card_id: string | null;
  object_member_token_id: string | null;
  object_organization_id: string | null;
  object_site_id: string | null;
  object_webhook_id: string | null;
  object_hardware_id: string | null;
  object_card_id: string | null;
  object_schedule_id: string | null;
  object_tag_id: string | null;
  object_user_id: string | null;
  object_oauth_application_id: string | null;
  object_claim_ticket_id: string | null;
  object_technician_pass_id: string | null;
}
