export const heading = 'Keep the new rules?';
export const hint =
  'The new rules are active. They revert when the time is up unless you keep them. Test them at the keypad.';
export const keepRulesButton = 'Keep the new rules';
export const revertNowButton = 'Revert now';
export const rulesKept = 'New rules kept';
export const rulesReverted = 'Previous rules restored';
export const trialExpired = 'The new rules were not kept in time. The previous rules are active again.';
