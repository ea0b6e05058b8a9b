export const heading = 'Are the new rules right?';
export const text = 'They are in force now, and go back by themselves unless you keep them. Try them at the keypad.';
export const keep = 'Keep the new rules';
export const revert = 'Go back now';
export const kept = 'The new rules stay.';
export const reverted = 'The rules are as they were before.';
export const timedOut = 'Nobody kept the new rules: they are as they were before.';
