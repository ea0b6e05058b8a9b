const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 1024;

/** For passwords that the operator sets in a seed file. */
export const isAllowedOperatorSetPassword = (password: string): boolean =>
  password !== '' && password.length <= MAX_PASSWORD_LENGTH;

/** Why a user cannot choose this password; null if it is acceptable. */
export const findNewPasswordProblem = (password: string, email: string): string | null => {
  if (password.length < MIN_PASSWORD_LENGTH)
    return `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (password.trim().toLowerCase() === email) return 'The password must differ from the email address.';
  return null;
};
