export const inputRulesTrialHeading = 'New rules on trial';
export const copyTrialHeading = (name: string) => `Copied rules on trial at ${name}`;
export const inputRulesTrialHint = 'Test them at the keypad. They revert when the time is up unless you keep them.';
export const keepInputRulesButton = 'Keep';
export const revertInputRulesButton = 'Revert';
export const inputRulesKeptText = 'New rules kept';
export const inputRulesRevertedText = 'Previous rules restored';
export const inputRulesTrialExpiredText = 'The new rules were not kept in time. The previous rules are active again.';
