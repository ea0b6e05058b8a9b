export const trialHeading = 'New rules on trial';
export const copyTrialHeading = (name: string) => `Copied rules on trial at ${name}`;
export const trialHint = 'Test them at the keypad. They revert when the time is up unless you keep them.';
export const keepButton = 'Keep';
export const revertButton = 'Revert';
export const rulesKept = 'New rules kept';
export const rulesReverted = 'Previous rules restored';
export const trialExpired = 'The new rules were not kept in time. The previous rules are active again.';
