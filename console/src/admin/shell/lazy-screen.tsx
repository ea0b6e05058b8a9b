import { useEffect, useState } from 'preact/hooks';
import { ApiRequestError } from '../api/send-request.ts';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import type { ScreenRoute, ScreenComponent, ScreenProps } from '../router/screen-route-type.ts';

type LoadState = { readonly screen: ScreenComponent } | { readonly error: Error } | null;

/** Browsers report a file that they could not load as a TypeError about the import, without a code. */
const isFailedDownload = (error: unknown): boolean => error instanceof TypeError && /import/i.test(error.message);

const loaded = new Map<ScreenRoute, ScreenComponent>();

/** Shows a screen as soon as its code is loaded. */
export const LazyScreen = ({ route, params }: ScreenProps & { readonly route: ScreenRoute }) => {
  const [state, setState] = useState<LoadState>(null);
  const [attempt, setAttempt] = useState(0);
  const Known = loaded.get(route);
  useEffect(() => {
    if (loaded.has(route)) return;
    let isCurrent = true;
    setState(null);
    const load = async (): Promise<void> => {
      try {
        const screen = await route.load();
        loaded.set(route, screen);
        if (isCurrent) setState({ screen });
      } catch (error) {
        if (isCurrent) setState({ error: isFailedDownload(error) ? new ApiRequestError(null, {}) : (error as Error) });
      }
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [route, attempt]);
  if (Known !== undefined) return <Known params={params} />;
  // A deployment replaces the files, so a tab with the old page cannot load more of them.
  if (state !== null && 'error' in state)
    return <ErrorNotice error={state.error} onRetry={() => (attempt === 0 ? setAttempt(1) : location.reload())} />;
  return <LoadingIndicator />;
};
