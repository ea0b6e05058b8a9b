import { UsageError } from '@lintel/service/command-line/cli-command';

/** Days from a text such as `365d`; null for `forever`. */
export const parseRetentionDays = (text: string, option: string): number | null => {
  if (text === 'forever') return null;
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
  if (days === undefined) throw new UsageError(`--${option} must be a number of days such as 365d, or forever`);
  return Number(days);
};
