import type * as z from 'zod';
import { sealedCardEnrollmentSchema } from './card-enrollment.ts';
import { technicianClaimStateSchema } from './claim.ts';
import {
  createCommissioningCredentialResponseSchema,
  commissioningCredentialStateSchema,
} from './commissioning-credential.ts';
import { setHardwareProfileResponseSchema, doctorResponseSchema } from './doctor.ts';
import { technicianHealthSchema } from './health.ts';
import { inputRulesCheckResponseSchema, technicianInputRulesSchema } from './input-rules.ts';
import { technicianChallengeSchema, technicianHelloSchema, technicianSessionSchema } from './login.ts';
import { assignablePcscReaders, pcscReaderAssignmentResponse } from './pcsc-readers.ts';
import { technicianReportSchema } from './report.ts';
import { supportBundleSchema, technicianStatusSchema } from './status.ts';
import {
  feedbackTestResponseSchema,
  gadgetActionResponseSchema,
  nextCardResponseSchema,
  technicianEventsSchema,
  technicianHardwareTestsSchema,
} from './hardware-tests.ts';
import { credentialTestResponseSchema } from './credential-test.ts';

/** All objects of the technician API. */
export const technicianResponseSchemas = {
  hello: technicianHelloSchema,
  challenge: technicianChallengeSchema,
  session: technicianSessionSchema,
  status: technicianStatusSchema,
  input_rules: technicianInputRulesSchema,
  rules_checked: inputRulesCheckResponseSchema,
  credential_tried: credentialTestResponseSchema,
  commissioning_made: createCommissioningCredentialResponseSchema,
  commissioning: commissioningCredentialStateSchema,
  events: technicianEventsSchema,
  gadget_action_done: gadgetActionResponseSchema,
  next_card: nextCardResponseSchema,
  card_enrolled: sealedCardEnrollmentSchema,
  pcsc_readers: assignablePcscReaders,
  pcsc_reader_assigned: pcscReaderAssignmentResponse,
  feedback_played: feedbackTestResponseSchema,
  tests: technicianHardwareTestsSchema,
  health: technicianHealthSchema,
  doctor: doctorResponseSchema,
  profile_chosen: setHardwareProfileResponseSchema,
  report: technicianReportSchema,
  claim: technicianClaimStateSchema,
  support_bundle: supportBundleSchema,
} as const satisfies Record<string, z.ZodObject>;
