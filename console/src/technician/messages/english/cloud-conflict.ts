export const heading = 'These rules were also changed in the cloud';
export const superseded =
  'The rules were changed in the cloud while the controller was offline. The cloud rules are active. Your rules are kept until you choose.';
export const rejected = (message: string) =>
  `The cloud rejected your rules: ${message}. The cloud rules are active. Your rules are kept until you choose.`;
export const yours = 'Your rules from this controller';
export const cloud = 'Cloud rules (active)';
export const useYours = 'Use my rules';
export const useCloud = 'Use the cloud rules';
export const merge = 'Merge both';
