import type * as z from 'zod';
import { restResponseSchemas } from '../rest/response-schemas.ts';
import { accessExplanationResponseSchema } from './access-explanation.ts';
import { activityStatisticsResponseSchema } from './activity-statistics.ts';
import {
  activeAlertsResponseSchema,
  alertMessageResponseSchema,
  alertRuleResponseSchema,
  alertRuleWrittenResponseSchema,
} from './alert-rules-and-alerts.ts';
import { auditEntryResponseSchema } from './audit-entry.ts';
import { attentionResponseSchema } from './attention-items.ts';
import { deskLimitsResponseSchema } from './desk-limits.ts';
import { gadgetMemberResponseSchema, memberAccessResponseSchema } from './effective-access.ts';
import {
  managedOAuthApplicationResponseSchema,
  oauthApplicationCreatedResponseSchema,
  oauthAuthorizationResponseSchema,
} from './oauth-application.ts';
import { readNextCardResponseSchema } from './read-next-card.ts';
import { importCardStockResponseSchema, inventoryCardResponseSchema } from './card-stock.ts';
import { importMembersResponseSchema } from './member-import.ts';
import { memberGroupSizesResponseSchema } from './member-group-sizes.ts';
import { claimTicketResponseSchema, claimTicketCreatedResponseSchema } from './claim-ticket.ts';
import { deviceConnectionResponseSchema } from './device-connection.ts';
import { inputRulesResponseSchema } from './device-input-rules.ts';
import { deviceHealthResponseSchema } from './device-health-history.ts';
import { gadgetStatesResponseSchema } from './gadget-states.ts';
import { eventReportResponseSchema } from './event-report.ts';
import { incidentResponseSchema } from './incident.ts';
import { stolenControllerResponseSchema } from './stolen-controller.ts';
import { virtualKeypadEntryResponseSchema } from './virtual-keypad.ts';
import { installationResponseSchema } from './bridge-installation.ts';
import { administeredOrganizationResponseSchema } from './organization.ts';
import { organizationUserInvitedResponseSchema, organizationUserResponseSchema } from './organization-user.ts';
import {
  memberCredentialDeliveryResponseSchema,
  memberGroupLockoutResponseSchema,
  pinDeliveryResponseSchema,
} from './credential-delivery-to-controllers.ts';
import { releaseResponseSchema, releaseUploadResponseSchema } from './release.ts';
import { personalDataResponseSchema } from './member-personal-data-export.ts';
import { retentionResponseSchema } from './retention.ts';
import { rolloutResponseSchema, rolloutDetailResponseSchema } from './rollout.ts';
import { scheduleExceptionResponseSchema, scheduleExceptionsResponseSchema } from './schedule-exception.ts';
import { scriptTokenCreatedResponseSchema, scriptTokenResponseSchema } from './script-token.ts';
import { sessionProofOptionsResponseSchema, sessionProofResponseSchema } from './session-proof.ts';
import { currentAdminSessionResponseSchema, userSessionResponseSchema } from './user-session.ts';
import { technicianDeviceResponseSchema } from './controller-details-for-technician.ts';
import { technicianPassResponseSchema } from './technician-pass.ts';

/** Objects of the admin API only. */
export const adminOnlyResponseSchemas = {
  administered_organization: administeredOrganizationResponseSchema,
  organization_user: organizationUserResponseSchema,
  organization_user_invited: organizationUserInvitedResponseSchema,
  session: currentAdminSessionResponseSchema,
  session_proof: sessionProofResponseSchema,
  session_proof_options: sessionProofOptionsResponseSchema,
  user_session: userSessionResponseSchema,
  input_rules: inputRulesResponseSchema,
  device_connection: deviceConnectionResponseSchema,
  access_check: accessExplanationResponseSchema,
  member_access: memberAccessResponseSchema,
  gadget_member: gadgetMemberResponseSchema,
  activity: activityStatisticsResponseSchema,
  group_sizes: memberGroupSizesResponseSchema,
  attention: attentionResponseSchema,
  audit_entry: auditEntryResponseSchema,
  gadget_states: gadgetStatesResponseSchema,
  alert_rule: alertRuleResponseSchema,
  alert_rule_written: alertRuleWrittenResponseSchema,
  active_alerts: activeAlertsResponseSchema,
  alert_message: alertMessageResponseSchema,
  application: managedOAuthApplicationResponseSchema,
  application_created: oauthApplicationCreatedResponseSchema,
  authorization: oauthAuthorizationResponseSchema,
  script_token: scriptTokenResponseSchema,
  script_token_created: scriptTokenCreatedResponseSchema,
  card_enrollment: readNextCardResponseSchema,
  card_stock_import: importCardStockResponseSchema,
  member_import: importMembersResponseSchema,
  inventory_card: inventoryCardResponseSchema,
  claim_ticket: claimTicketResponseSchema,
  claim_ticket_created: claimTicketCreatedResponseSchema,
  pin_reach: pinDeliveryResponseSchema,
  member_delivery: memberCredentialDeliveryResponseSchema,
  member_group_lockout: memberGroupLockoutResponseSchema,
  technician_device: technicianDeviceResponseSchema,
  technician_pass: technicianPassResponseSchema,
  release: releaseResponseSchema,
  release_upload: releaseUploadResponseSchema,
  rollout: rolloutResponseSchema,
  rollout_detail: rolloutDetailResponseSchema,
  incident: incidentResponseSchema,
  event_report: eventReportResponseSchema,
  keypad_entry: virtualKeypadEntryResponseSchema,
  installation: installationResponseSchema,
  personal_data: personalDataResponseSchema,
  retention: retentionResponseSchema,
  desk_limits: deskLimitsResponseSchema,
  schedule_exception: scheduleExceptionResponseSchema,
  schedule_exceptions: scheduleExceptionsResponseSchema,
  device_health: deviceHealthResponseSchema,
  stolen_controller: stolenControllerResponseSchema,
} as const satisfies Record<string, z.ZodObject>;

/** All objects of the admin API, including those of the public API. */
export const adminResponseSchemas = {
  ...restResponseSchemas,
  ...adminOnlyResponseSchemas,
} as const satisfies Record<string, z.ZodObject>;
