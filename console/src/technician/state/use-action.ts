import { useState } from 'preact/hooks';
import type { ApiError } from '../api/api-result.ts';
import type { ApiRequest } from '../api/send-request.ts';
import { session, useNotify } from '../api/use-session.ts';
import { errorMessage } from './error-message.ts';

/** Sends one request at a time and shows a notice when it fails. `run` resolves to null after an error. */
export const useAction = () => {
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const run = async <T>(request: ApiRequest, explain?: (error: ApiError) => string | null): Promise<T | null> => {
    if (isBusy) return null;
    setBusy(true);
    notify('');
    const result = await session.request<T>(request);
    setBusy(false);
    if (result.ok) return result.value;
    notify(explain?.(result.error) ?? errorMessage(result.error), true);
    return null;
  };
  return { run, isBusy };
};
