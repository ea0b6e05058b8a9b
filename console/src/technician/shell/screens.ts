import { useEffect, useState } from 'preact/hooks';

export const screens = ['overview', 'claim', 'rules', 'live', 'try', 'tests', 'report'] as const;
export type Screen = (typeof screens)[number];

export const screenUrl = (screen: Screen): string => (screen === 'overview' ? '#/' : `#/${screen}`);

const screenAt = (hash: string): Screen => screens.find(screen => screenUrl(screen) === hash) ?? 'overview';

/** Follows the URL, so that the back button and a reload keep working. */
export const useScreen = (): Screen => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = (): void => setHash(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return screenAt(hash);
};
