/** Rules revert after this time unless they are kept. */
export const RULE_TRIAL_SECONDS = 120;
