/** Null for a valid name. */
export const findSsidProblem = (ssid: string): string | null => {
  const bytes = Buffer.byteLength(ssid);
  if (bytes < 1 || bytes > 32) return 'must be 1 to 32 bytes long';
  return /\p{Cc}/u.test(ssid) ? 'must not have control characters' : null;
};

export const findWifiPasswordProblem = (password: string): string | null => {
  if (/^[0-9a-fA-F]{64}$/.test(password)) return null;
  if (!/^[\x20-\x7e]*$/.test(password)) return 'must have letters, digits and signs of ASCII only';
  return password.length < 8 || password.length > 63 ? 'must be 8 to 63 characters long' : null;
};
