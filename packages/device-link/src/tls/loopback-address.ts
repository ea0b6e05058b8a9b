/** The host of a URL, without the brackets of IPv6. */
export const getUrlHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

export const isLoopbackAddress = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
