import { useEffect, useState } from 'preact/hooks';

export const screenIds = ['overview', 'claim', 'rules', 'live', 'try', 'tests', 'report'] as const;
export type ScreenId = (typeof screenIds)[number];

export const screenUrl = (screen: ScreenId): string => (screen === 'overview' ? '#/' : `#/${screen}`);

const screenAt = (hash: string): ScreenId => screenIds.find(screen => screenUrl(screen) === hash) ?? 'overview';

/** Follows the URL, so that the back button and a reload keep working. */
export const useCurrentScreen = (): ScreenId => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = (): void => setHash(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return screenAt(hash);
};
