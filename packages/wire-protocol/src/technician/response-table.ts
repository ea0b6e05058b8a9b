import type * as z from 'zod';
import { technicianClaimState } from './claim.ts';
import { commissioningResponse, commissioningState } from './commissioning.ts';
import { profileResponse, technicianDoctor } from './doctor.ts';
import { technicianHealth } from './health.ts';
import { rulesCheckResponse, technicianRules } from './input-rules.ts';
import { technicianChallenge, technicianHello, technicianSession } from './login.ts';
import { technicianReport } from './report.ts';
import { supportBundle, technicianStatus } from './status.ts';
import {
  feedbackTestResponse,
  gadgetActionResponse,
  nextCardResponse,
  technicianEvents,
  technicianTests,
} from './tests.ts';
import { credentialTestResponse } from './credential-test.ts';

/** All objects of the technician API. */
export const technicianResponses = {
  hello: technicianHello,
  challenge: technicianChallenge,
  session: technicianSession,
  status: technicianStatus,
  input_rules: technicianRules,
  rules_checked: rulesCheckResponse,
  credential_tried: credentialTestResponse,
  commissioning_made: commissioningResponse,
  commissioning: commissioningState,
  events: technicianEvents,
  gadget_action_done: gadgetActionResponse,
  next_card: nextCardResponse,
  feedback_played: feedbackTestResponse,
  tests: technicianTests,
  health: technicianHealth,
  doctor: technicianDoctor,
  profile_chosen: profileResponse,
  report: technicianReport,
  claim: technicianClaimState,
  support_bundle: supportBundle,
} as const satisfies Record<string, z.ZodObject>;
