/** What was typed as the bridge's address, with `https://` where nothing is in front; null for what cannot be one. */
export const addressOf = (typed: string): string | null => {
  const plain = typed.trim();
  const whole = /^https?:\/\//i.test(plain) ? plain : `https://${plain}`;
  return /^https?:\/\/([^\s/:[\]]+|\[[0-9a-f:.]+\])(:\d+)?(\/\S*)?$/i.test(whole) ? whole : null;
};
