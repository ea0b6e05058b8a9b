/** Rules revert after this time unless they are kept. */
export const INPUT_RULES_TRIAL_SECONDS = 120;
