import { useMemo } from 'preact/hooks';
import { useControllerData } from './shared-controller-resources.ts';
import {
  createGadgetNameLookup,
  type GadgetNameLookup,
  type NamedGadget,
} from '../../components/rules-editor/gadget-names.ts';
import { useStableValue } from '../../components/rules-editor/use-stable-value.ts';

const pickNames = ({ gadget_id, name, actions }: NamedGadget): NamedGadget => ({ gadget_id, name, actions });

export const useGadgetNameLookup = (): GadgetNameLookup => {
  const { status, rules } = useControllerData();
  const gadgets = useStableValue(
    [...(status.value?.gadgets ?? []), ...(rules.value?.destinations ?? [])].map(pickNames),
  );
  return useMemo(() => createGadgetNameLookup(gadgets), [gadgets]);
};
