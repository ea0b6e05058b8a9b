export const inputRulesCloudConflictHeading = 'These rules were also changed in the cloud';
export const inputRulesCloudConflictHint =
  'The rules were changed in the cloud while the controller was offline. The cloud rules are active. Your rules are kept until you choose.';
export const rejectedByCloudText = (message: string) =>
  `The cloud rejected your rules: ${message}. The cloud rules are active. Your rules are kept until you choose.`;
export const yourRulesHeading = 'Your rules from this controller';
export const cloudRulesHeading = 'Cloud rules (active)';
export const selectYourRulesButton = 'Use my rules';
export const selectCloudRulesButton = 'Use the cloud rules';
export const mergeCloudRulesButton = 'Merge both';
