/** Adds `https://` to a host name. Returns null for text that is not an address. */
export const parseBridgeUrl = (text: string): string | null => {
  const trimmed = text.trim();
  const url = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  return /^https?:\/\/([^\s/:[\]]+|\[[0-9a-f:.]+\])(:\d+)?(\/\S*)?$/i.test(url) ? url : null;
};
