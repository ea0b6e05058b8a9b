/** Whether only programs on the bridge's own machine reach this address. */
export const isLoopbackUrl = (url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
};
