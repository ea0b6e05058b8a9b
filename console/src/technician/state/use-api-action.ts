import { useState } from 'preact/hooks';
import type { TechnicianApiError } from '../api/api-result.ts';
import type { TechnicianApiRequest } from '../api/send-request.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import { useNotify } from './notice-context.ts';
import { describeTechnicianApiError } from '../api/describe-api-error.ts';

/** Sends one request at a time and shows a notice when it fails. `run` resolves to null after an error. */
export const useApiAction = () => {
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const run = async <T>(
    request: TechnicianApiRequest,
    explain?: (error: TechnicianApiError) => string | null,
  ): Promise<T | null> => {
    if (isBusy) return null;
    setBusy(true);
    notify('');
    const result = await controllerSession.request<T>(request);
    setBusy(false);
    if (result.ok) return result.value;
    notify(explain?.(result.error) ?? describeTechnicianApiError(result.error), true);
    return null;
  };
  return { run, isBusy };
};
