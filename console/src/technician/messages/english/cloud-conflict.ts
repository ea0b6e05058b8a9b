export const cloudConflictHeading = 'These rules were also changed in the cloud';
export const cloudConflictHint =
  'The rules were changed in the cloud while the controller was offline. The cloud rules are active. Your rules are kept until you choose.';
export const rejectedByCloud = (message: string) =>
  `The cloud rejected your rules: ${message}. The cloud rules are active. Your rules are kept until you choose.`;
export const yourRulesHeading = 'Your rules from this controller';
export const cloudRulesHeading = 'Cloud rules (active)';
export const useYourRulesButton = 'Use my rules';
export const useCloudRulesButton = 'Use the cloud rules';
export const mergeCloudRulesButton = 'Merge both';
