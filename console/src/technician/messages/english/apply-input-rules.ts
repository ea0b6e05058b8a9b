export const applyInputRulesButton = 'Apply';
export const applyInputRulesHint = 'The rules take effect at once. They revert in 2 minutes unless you keep them.';
export const applyInputRulesInProgressText = 'Applying…';
