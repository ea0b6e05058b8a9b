import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useNotifiedAction } from '../components/use-notified-action.ts';

/** Runs a write of a step, shows its error and reloads what the steps depend on. */
export const useSaveFirstStep = () => {
  const { id } = useCurrentOrganization();
  const { isBusy, run } = useNotifiedAction();
  const save = (work: () => Promise<void>): Promise<void> =>
    run(async () => {
      await work();
      await queryClient.invalidateQueries({ queryKey: [id] });
    });
  return { isBusy, save };
};
