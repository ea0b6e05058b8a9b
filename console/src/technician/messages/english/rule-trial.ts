export const heading = 'Keep the new rules?';
export const text =
  'The new rules are active. They revert when the time is up unless you keep them. Test them at the keypad.';
export const keep = 'Keep the new rules';
export const revert = 'Revert now';
export const kept = 'New rules kept';
export const reverted = 'Previous rules restored';
export const expired = 'The new rules were not kept in time. The previous rules are active again.';
