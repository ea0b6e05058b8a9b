import type * as z from 'zod';
import { technicianClaimState } from './claim.ts';
import { commissioningMade, commissioningState } from './commissioning.ts';
import { profileChosen, technicianDoctor } from './doctor.ts';
import { technicianHealth } from './health.ts';
import { rulesChecked, technicianRules } from './input-rules.ts';
import { technicianHello, technicianSession } from './login.ts';
import { technicianReport } from './report.ts';
import { supportBundle, technicianStatus } from './status.ts';
import { feedbackPlayed, gadgetActionDone, nextCard, technicianEvents, technicianTests } from './tests.ts';
import { credentialTried } from './trying.ts';

/** Every object that a controller answers a technician with. */
export const technicianAnswers = {
  hello: technicianHello,
  session: technicianSession,
  status: technicianStatus,
  input_rules: technicianRules,
  rules_checked: rulesChecked,
  credential_tried: credentialTried,
  commissioning_made: commissioningMade,
  commissioning: commissioningState,
  events: technicianEvents,
  gadget_action_done: gadgetActionDone,
  next_card: nextCard,
  feedback_played: feedbackPlayed,
  tests: technicianTests,
  health: technicianHealth,
  doctor: technicianDoctor,
  profile_chosen: profileChosen,
  report: technicianReport,
  claim: technicianClaimState,
  support_bundle: supportBundle,
} as const satisfies Record<string, z.ZodObject>;
