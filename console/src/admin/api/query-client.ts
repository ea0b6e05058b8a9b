import { QueryClient } from '@tanstack/query-core';
import { ApiRequestError } from './send-request.ts';

const MAX_RETRIES = 2;

const isTemporary = (error: Error): boolean =>
  error instanceof ApiRequestError && (error.status === null || error.status === 429 || error.status >= 500);

/** The event stream invalidates what changed, so data stays fresh for longer than usual. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 300_000,
      // The browser counts a machine without internet as offline, but the bridge may be in its network.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
    },
  },
});
queryClient.mount();
