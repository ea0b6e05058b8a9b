import type * as z from 'zod';
import { restResponseSchemas } from '../rest/response-table.ts';
import { accessCheckResponse } from './access-check.ts';
import { activityResponse } from './activity.ts';
import { activeAlertsResponse, alertMessageResponse, alertRuleResponse, alertRuleWrittenResponse } from './alert.ts';
import { attentionResponse } from './attention.ts';
import { gadgetMemberResponse, memberAccessResponse } from './effective-access.ts';
import { applicationResponse, applicationCreatedResponse, authorizationResponse } from './application.ts';
import { cardEnrollmentResponse } from './card-enrollment.ts';
import { cardStockImportResponse, inventoryCardResponse } from './card-stock.ts';
import { groupSizesResponse } from './group-sizes.ts';
import { claimTicketResponse, claimTicketCreatedResponse } from './claim-ticket.ts';
import { deviceConnectionResponse, inputRulesResponse } from './device.ts';
import { deviceHealthResponse } from './device-health.ts';
import { incidentResponse } from './incident.ts';
import { keypadEntryResponse } from './virtual-keypad.ts';
import { installationResponse } from './installation.ts';
import { administeredOrganizationResponse } from './organization.ts';
import { organizationUserInvitedResponse, organizationUserResponse } from './organization-user.ts';
import { memberDeliveryResponse, pinReachResponse } from './credential-delivery.ts';
import { releaseResponse, releaseUploadResponse } from './release.ts';
import { personalDataResponse } from './personal-data.ts';
import { retentionResponse } from './retention.ts';
import { rolloutResponse, rolloutDetailResponse } from './rollout.ts';
import { scheduleExceptionResponse, scheduleExceptionsResponse } from './schedule-exception.ts';
import { scriptTokenCreatedResponse, scriptTokenResponse } from './script-token.ts';
import { sessionResponse, userSessionResponse } from './session.ts';
import { technicianDeviceResponse } from './technician-device.ts';
import { technicianPassResponse } from './technician-pass.ts';

/** Objects of the admin API only. */
export const adminOnlyResponseSchemas = {
  administered_organization: administeredOrganizationResponse,
  organization_user: organizationUserResponse,
  organization_user_invited: organizationUserInvitedResponse,
  session: sessionResponse,
  user_session: userSessionResponse,
  input_rules: inputRulesResponse,
  device_connection: deviceConnectionResponse,
  access_check: accessCheckResponse,
  member_access: memberAccessResponse,
  gadget_member: gadgetMemberResponse,
  activity: activityResponse,
  group_sizes: groupSizesResponse,
  attention: attentionResponse,
  alert_rule: alertRuleResponse,
  alert_rule_written: alertRuleWrittenResponse,
  active_alerts: activeAlertsResponse,
  alert_message: alertMessageResponse,
  application: applicationResponse,
  application_created: applicationCreatedResponse,
  authorization: authorizationResponse,
  script_token: scriptTokenResponse,
  script_token_created: scriptTokenCreatedResponse,
  card_enrollment: cardEnrollmentResponse,
  card_stock_import: cardStockImportResponse,
  inventory_card: inventoryCardResponse,
  claim_ticket: claimTicketResponse,
  claim_ticket_created: claimTicketCreatedResponse,
  pin_reach: pinReachResponse,
  member_delivery: memberDeliveryResponse,
  technician_device: technicianDeviceResponse,
  technician_pass: technicianPassResponse,
  release: releaseResponse,
  release_upload: releaseUploadResponse,
  rollout: rolloutResponse,
  rollout_detail: rolloutDetailResponse,
  incident: incidentResponse,
  keypad_entry: keypadEntryResponse,
  installation: installationResponse,
  personal_data: personalDataResponse,
  retention: retentionResponse,
  schedule_exception: scheduleExceptionResponse,
  schedule_exceptions: scheduleExceptionsResponse,
  device_health: deviceHealthResponse,
} as const satisfies Record<string, z.ZodObject>;

/** All objects of the admin API, including those of the public API. */
export const adminResponseSchemas = {
  ...restResponseSchemas,
  ...adminOnlyResponseSchemas,
} as const satisfies Record<string, z.ZodObject>;
