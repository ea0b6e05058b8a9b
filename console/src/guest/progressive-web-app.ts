const SCOPE = '/guest';

/** The page then also loads without a connection. Browsers have service workers on a secure connection only. */
export const registerGuestServiceWorker = (): void => {
  navigator.serviceWorker?.register('/guest/service-worker.js', { scope: SCOPE }).catch(() => undefined);
};

/** Lets the browser install the page as an app, with a name in this language. */
export const selectWebAppManifest = (languageTag: string): void => {
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')!;
  const href = `/guest/manifest-${languageTag.slice(0, 2).toLowerCase()}.webmanifest`;
  if (link.getAttribute('href') !== href) link.setAttribute('href', href);
};
