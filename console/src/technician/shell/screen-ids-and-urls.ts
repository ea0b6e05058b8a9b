import { useEffect, useState } from 'preact/hooks';

export const technicianScreenIds = ['overview', 'claim', 'rules', 'live', 'try', 'tests', 'report'] as const;
export type TechnicianScreenId = (typeof technicianScreenIds)[number];

export const buildTechnicianScreenUrl = (screen: TechnicianScreenId): string =>
  screen === 'overview' ? '#/' : `#/${screen}`;

const screenAt = (hash: string): TechnicianScreenId =>
  technicianScreenIds.find(screen => buildTechnicianScreenUrl(screen) === hash) ?? 'overview';

/** Follows the URL, so that the back button and a reload keep working. */
export const useCurrentScreen = (): TechnicianScreenId => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = (): void => setHash(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return screenAt(hash);
};
