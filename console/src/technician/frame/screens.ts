import { useEffect, useState } from 'preact/hooks';

export const screens = ['overview', 'claim', 'rules', 'live', 'trying', 'tests', 'report'] as const;
export type Screen = (typeof screens)[number];

export const addressOf = (screen: Screen): string => (screen === 'overview' ? '#/' : `#/${screen}`);

const screenAt = (hash: string): Screen => screens.find(screen => addressOf(screen) === hash) ?? 'overview';

/** The address decides, so that the back button of the phone works and a reload stays. */
export const useScreen = (): Screen => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return screenAt(hash);
};
