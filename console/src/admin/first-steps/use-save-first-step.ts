import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useNotices } from '../components/notices.tsx';

/** Runs a write of a step, shows its error and reloads what the steps depend on. */
export const useSaveFirstStep = () => {
  const { id } = useCurrentOrganization();
  const notices = useNotices();
  const [isBusy, setBusy] = useState(false);
  const save = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      await queryClient.invalidateQueries({ queryKey: [id] });
    } catch (error) {
      notices.showError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, save };
};
