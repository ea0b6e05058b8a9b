export const applyButton = 'Apply';
export const applyHint = 'The rules take effect at once. They revert in 2 minutes unless you keep them.';
export const applyInProgress = 'Applying…';
