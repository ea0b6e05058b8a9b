import type * as z from 'zod';
import { restResponseSchemas } from '../rest/response-table.ts';
import { accessExplanationResponseSchema } from './access-explanation.ts';
import { activityResponseSchema } from './activity.ts';
import {
  activeAlertsResponseSchema,
  alertMessageResponseSchema,
  alertRuleResponseSchema,
  alertRuleWrittenResponseSchema,
} from './alert.ts';
import { attentionResponseSchema } from './attention.ts';
import { gadgetMemberResponseSchema, memberAccessResponseSchema } from './effective-access.ts';
import {
  managedOAuthApplicationResponseSchema,
  oauthApplicationCreatedResponseSchema,
  oauthAuthorizationResponseSchema,
} from './oauth-application.ts';
import { cardEnrollmentResponseSchema } from './card-enrollment.ts';
import { importCardStockResponseSchema, organizationCardResponseSchema } from './card-stock.ts';
import { memberGroupSizesResponseSchema } from './group-sizes.ts';
import { claimTicketResponseSchema, claimTicketCreatedResponseSchema } from './claim-ticket.ts';
import { deviceConnectionResponseSchema, inputRulesResponseSchema } from './device.ts';
import { deviceHealthResponse } from './device-health.ts';
import { incidentResponseSchema } from './incident.ts';
import { virtualKeypadEntryResponseSchema } from './virtual-keypad.ts';
import { installationResponseSchema } from './installation.ts';
import { administeredOrganizationResponseSchema } from './organization.ts';
import { organizationUserInvitedResponseSchema, organizationUserResponseSchema } from './organization-user.ts';
import { memberDeliveryResponseSchema, pinReachResponseSchema } from './credential-delivery.ts';
import { releaseResponseSchema, releaseUploadResponseSchema } from './release.ts';
import { personalDataResponseSchema } from './personal-data.ts';
import { retentionResponseSchema } from './retention.ts';
import { rolloutResponseSchema, rolloutDetailResponseSchema } from './rollout.ts';
import { scheduleExceptionResponse, scheduleExceptionsResponse } from './schedule-exception.ts';
import { scriptTokenCreatedResponseSchema, scriptTokenResponseSchema } from './script-token.ts';
import { adminSessionResponseSchema, userSessionResponseSchema } from './session.ts';
import { technicianDeviceResponseSchema } from './technician-device.ts';
import { technicianPassResponseSchema } from './technician-pass.ts';

/** Objects of the admin API only. */
export const adminOnlyResponseSchemas = {
  administered_organization: administeredOrganizationResponseSchema,
  organization_user: organizationUserResponseSchema,
  organization_user_invited: organizationUserInvitedResponseSchema,
  session: adminSessionResponseSchema,
  user_session: userSessionResponseSchema,
  input_rules: inputRulesResponseSchema,
  device_connection: deviceConnectionResponseSchema,
  access_check: accessExplanationResponseSchema,
  member_access: memberAccessResponseSchema,
  gadget_member: gadgetMemberResponseSchema,
  activity: activityResponseSchema,
  group_sizes: memberGroupSizesResponseSchema,
  attention: attentionResponseSchema,
  alert_rule: alertRuleResponseSchema,
  alert_rule_written: alertRuleWrittenResponseSchema,
  active_alerts: activeAlertsResponseSchema,
  alert_message: alertMessageResponseSchema,
  application: managedOAuthApplicationResponseSchema,
  application_created: oauthApplicationCreatedResponseSchema,
  authorization: oauthAuthorizationResponseSchema,
  script_token: scriptTokenResponseSchema,
  script_token_created: scriptTokenCreatedResponseSchema,
  card_enrollment: cardEnrollmentResponseSchema,
  card_stock_import: importCardStockResponseSchema,
  inventory_card: organizationCardResponseSchema,
  claim_ticket: claimTicketResponseSchema,
  claim_ticket_created: claimTicketCreatedResponseSchema,
  pin_reach: pinReachResponseSchema,
  member_delivery: memberDeliveryResponseSchema,
  technician_device: technicianDeviceResponseSchema,
  technician_pass: technicianPassResponseSchema,
  release: releaseResponseSchema,
  release_upload: releaseUploadResponseSchema,
  rollout: rolloutResponseSchema,
  rollout_detail: rolloutDetailResponseSchema,
  incident: incidentResponseSchema,
  keypad_entry: virtualKeypadEntryResponseSchema,
  installation: installationResponseSchema,
  personal_data: personalDataResponseSchema,
  retention: retentionResponseSchema,
  schedule_exception: scheduleExceptionResponse,
  schedule_exceptions: scheduleExceptionsResponse,
  device_health: deviceHealthResponse,
} as const satisfies Record<string, z.ZodObject>;

/** All objects of the admin API, including those of the public API. */
export const adminResponseSchemas = {
  ...restResponseSchemas,
  ...adminOnlyResponseSchemas,
} as const satisfies Record<string, z.ZodObject>;
