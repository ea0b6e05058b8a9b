/** Rules revert after this time unless they are kept. */
export const TRIAL_S = 120;
