export const editConflictHeading = 'The rules were changed by someone else';
export const editConflictHint =
  'Both versions are shown below. Choose which rules to continue with. You can undo the choice.';
export const currentRulesHeading = 'Current rules';
export const yourDraftHeading = 'Your draft';
export const mergeInputRulesButton = 'Merge both';
export const selectYourDraftButton = 'Use my draft';
export const selectCurrentRulesButton = 'Use the current rules';
