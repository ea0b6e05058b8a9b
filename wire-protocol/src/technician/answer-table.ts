import type * as z from 'zod';
import { technicianClaimState } from './claim.ts';
import { rulesChecked, technicianRules } from './input-rules.ts';
import { technicianHello, technicianSession } from './login.ts';
import { supportBundle, technicianStatus } from './status.ts';
import { gadgetActionDone, technicianEvents } from './tests.ts';

/** Every object that a controller answers a technician with. */
export const technicianAnswers = {
  hello: technicianHello,
  session: technicianSession,
  status: technicianStatus,
  input_rules: technicianRules,
  rules_checked: rulesChecked,
  events: technicianEvents,
  gadget_action_done: gadgetActionDone,
  claim: technicianClaimState,
  support_bundle: supportBundle,
} as const satisfies Record<string, z.ZodObject>;
