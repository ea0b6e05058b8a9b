import { useState } from 'preact/hooks';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useApiAction } from '../state/use-api-action.ts';

/** Runs a test action and then shows what to check. */
export const useTestAction = () => {
  const { run, isBusy } = useApiAction();
  const { tests } = useSharedControllerData();
  const [message, setMessage] = useState<string | null>(null);
  const execute = async (path: string, body: object, doneMessage: string): Promise<void> => {
    setMessage(null);
    const result = await run({ method: 'POST', path, body });
    if (result !== null) setMessage(doneMessage);
    await tests.reload();
  };
  return { execute, isBusy, message: <p role="status">{message}</p> };
};
