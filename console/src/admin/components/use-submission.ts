import { useState } from 'preact/hooks';

/** Saves a form, and keeps its error. After a success it stays busy, because the form closes. */
export const useSubmission = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  };
  return { isBusy, error, submit };
};
