export const rolloutStagePlans = ['careful', 'gradual', 'all'] as const;
export type RolloutStagePlan = (typeof rolloutStagePlans)[number];

const DAY_SECONDS = 86_400;

/** The stages of the request; the remaining devices come last. */
export const buildRolloutStages = (plan: RolloutStagePlan): readonly object[] => {
  const oneFirst = { count: 1, wait_s: DAY_SECONDS };
  if (plan === 'all') return [];
  return plan === 'careful' ? [oneFirst] : [oneFirst, { percent: 20, wait_s: DAY_SECONDS }];
};
