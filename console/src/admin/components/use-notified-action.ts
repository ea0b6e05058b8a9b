import { useState } from 'preact/hooks';
import { useNotices } from './notices.tsx';

/** Runs the work of a button, and shows its error as a notice. */
export const useNotifiedAction = () => {
  const notices = useNotices();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notices.showError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
};
