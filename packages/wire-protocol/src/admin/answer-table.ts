import type * as z from 'zod';
import { deviceAnswer } from '../rest/device.ts';
import { gadgetAnswer } from '../rest/gadget.ts';
import { productAnswer } from '../rest/product.ts';
import { siteAnswer } from '../rest/site.ts';
import { userAnswer } from '../rest/user.ts';
import { applicationAnswer, applicationCreated, authorizationAnswer } from './application.ts';
import { claimTicketAnswer, claimTicketCreated } from './claim-ticket.ts';
import { inputRulesAnswer } from './device.ts';
import { administeredOrganizationAnswer } from './organization.ts';
import { organizationUserAnswer } from './organization-user.ts';
import { pinReachAnswer } from './pin-reach.ts';
import { releaseAnswer, releaseUploadAnswer } from './release.ts';
import { rolloutAnswer, rolloutDetail } from './rollout.ts';
import { sessionAnswer } from './session.ts';
import { technicianDeviceAnswer } from './technician-device.ts';
import { technicianPassAnswer } from './technician-pass.ts';

/** The objects that only the administration has. */
export const administrationAnswers = {
  administered_organization: administeredOrganizationAnswer,
  organization_user: organizationUserAnswer,
  session: sessionAnswer,
  input_rules: inputRulesAnswer,
  application: applicationAnswer,
  application_created: applicationCreated,
  authorization: authorizationAnswer,
  claim_ticket: claimTicketAnswer,
  claim_ticket_created: claimTicketCreated,
  pin_reach: pinReachAnswer,
  technician_device: technicianDeviceAnswer,
  technician_pass: technicianPassAnswer,
  release: releaseAnswer,
  release_upload: releaseUploadAnswer,
  rollout: rolloutAnswer,
  rollout_detail: rolloutDetail,
} as const satisfies Record<string, z.ZodObject>;

/** Every object of the administration API, those of the public one included. */
export const adminAnswers = {
  ...administrationAnswers,
  site: siteAnswer,
  product: productAnswer,
  device: deviceAnswer,
  gadget: gadgetAnswer,
  user: userAnswer,
} as const satisfies Record<string, z.ZodObject>;
