import type * as z from 'zod';
import { technicianClaimStateSchema } from './claim.ts';
import { commissioningResponse, commissioningStateSchema } from './commissioning.ts';
import { setHardwareProfileResponse, technicianDoctorSchema } from './doctor.ts';
import { technicianHealthSchema } from './health.ts';
import { inputRulesCheckResponse, technicianInputRulesSchema } from './input-rules.ts';
import { technicianChallengeSchema, technicianHelloSchema, technicianSessionSchema } from './login.ts';
import { technicianReportSchema } from './report.ts';
import { supportBundleSchema, technicianStatusSchema } from './status.ts';
import {
  feedbackTestResponse,
  gadgetActionResponse,
  nextCardResponse,
  technicianEventsSchema,
  technicianHardwareTestsSchema,
} from './tests.ts';
import { credentialTestResponse } from './credential-test.ts';

/** All objects of the technician API. */
export const technicianResponseSchemas = {
  hello: technicianHelloSchema,
  challenge: technicianChallengeSchema,
  session: technicianSessionSchema,
  status: technicianStatusSchema,
  input_rules: technicianInputRulesSchema,
  rules_checked: inputRulesCheckResponse,
  credential_tried: credentialTestResponse,
  commissioning_made: commissioningResponse,
  commissioning: commissioningStateSchema,
  events: technicianEventsSchema,
  gadget_action_done: gadgetActionResponse,
  next_card: nextCardResponse,
  feedback_played: feedbackTestResponse,
  tests: technicianHardwareTestsSchema,
  health: technicianHealthSchema,
  doctor: technicianDoctorSchema,
  profile_chosen: setHardwareProfileResponse,
  report: technicianReportSchema,
  claim: technicianClaimStateSchema,
  support_bundle: supportBundleSchema,
} as const satisfies Record<string, z.ZodObject>;
