import { useMemo } from 'preact/hooks';
import { useSharedControllerData } from './shared-controller-data.ts';
import {
  createGadgetAndActionNames,
  type GadgetAndActionNames,
  type NamedGadget,
} from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { useStableValue } from '../../components/input-rules-editor/use-stable-value.ts';

const pickNames = ({ gadget_id, name, actions }: NamedGadget): NamedGadget => ({ gadget_id, name, actions });

export const useGadgetAndActionNames = (): GadgetAndActionNames => {
  const { status, rules } = useSharedControllerData();
  const gadgets = useStableValue(
    [...(status.value?.gadgets ?? []), ...(rules.value?.destinations ?? [])].map(pickNames),
  );
  return useMemo(() => createGadgetAndActionNames(gadgets), [gadgets]);
};
