export const heading = 'The rules were changed by someone else';
export const text = 'Both versions are shown below. Choose which rules to continue with. You can undo the choice.';
export const current = 'Current rules';
export const yours = 'Your draft';
export const merge = 'Merge both';
export const useYours = 'Use my draft';
export const useCurrent = 'Use the current rules';
