import type * as z from 'zod';
import { technicianCardEnrollmentResponseSchema } from './read-next-card-for-bridge.ts';
import { technicianClaimStateResponseSchema } from './claim.ts';
import {
  createCommissioningCredentialResponseSchema,
  commissioningCredentialStateResponseSchema,
} from './commissioning-credential.ts';
import {
  hardwareProfileCheckResponseSchema,
  setHardwareProfileResponseSchema,
  hardwareDetectionResponseSchema,
} from './hardware-detection-and-profile.ts';
import { technicianHealthResponseSchema } from './health.ts';
import { inputRulesCheckResponseSchema, technicianInputRulesResponseSchema } from './input-rules.ts';
import {
  technicianChallengeResponseSchema,
  technicianHelloResponseSchema,
  technicianSessionResponseSchema,
} from './login.ts';
import { assignablePcscReadersResponseSchema, pcscReaderAssignmentResponseSchema } from './pcsc-reader-assignment.ts';
import { readerReplacementSchema, replaceableReadersResponseSchema } from './reader-replacement.ts';
import { handoverReportResponseSchema } from './handover-report.ts';
import { supportBundleSchema, technicianStatusResponseSchema } from './status-and-support-bundle.ts';
import {
  feedbackTestResponseSchema,
  technicianGadgetActionResponseSchema,
  nextCardResponseSchema,
  technicianEventsResponseSchema,
  technicianHardwareTestsResponseSchema,
} from './hardware-tests.ts';
import { credentialTestResponseSchema } from './try-input-rules.ts';

/** All objects of the technician API. */
export const technicianResponseSchemas = {
  hello: technicianHelloResponseSchema,
  challenge: technicianChallengeResponseSchema,
  session: technicianSessionResponseSchema,
  status: technicianStatusResponseSchema,
  input_rules: technicianInputRulesResponseSchema,
  rules_checked: inputRulesCheckResponseSchema,
  credential_tried: credentialTestResponseSchema,
  commissioning_made: createCommissioningCredentialResponseSchema,
  commissioning: commissioningCredentialStateResponseSchema,
  events: technicianEventsResponseSchema,
  gadget_action_done: technicianGadgetActionResponseSchema,
  next_card: nextCardResponseSchema,
  card_enrolled: technicianCardEnrollmentResponseSchema,
  pcsc_readers: assignablePcscReadersResponseSchema,
  pcsc_reader_assigned: pcscReaderAssignmentResponseSchema,
  osdp_readers: replaceableReadersResponseSchema,
  reader_replacement: readerReplacementSchema,
  feedback_played: feedbackTestResponseSchema,
  tests: technicianHardwareTestsResponseSchema,
  health: technicianHealthResponseSchema,
  doctor: hardwareDetectionResponseSchema,
  profile_checked: hardwareProfileCheckResponseSchema,
  profile_chosen: setHardwareProfileResponseSchema,
  report: handoverReportResponseSchema,
  claim: technicianClaimStateResponseSchema,
  support_bundle: supportBundleSchema,
} as const satisfies Record<string, z.ZodObject>;
