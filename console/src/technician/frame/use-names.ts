import { useMemo } from 'preact/hooks';
import { useSame } from '../link/use-same.ts';
import { useWhatIsKnown } from './known.ts';
import { type Names, type NamedGadget, namesOf } from './names.ts';

const named = ({ gadget_id, name, actions }: NamedGadget): NamedGadget => ({ gadget_id, name, actions });

export const useNames = (): Names => {
  const { status, rules } = useWhatIsKnown();
  const gadgets = useSame([...(status.value?.gadgets ?? []), ...(rules.value?.destinations ?? [])].map(named));
  return useMemo(() => namesOf(gadgets), [gadgets]);
};
