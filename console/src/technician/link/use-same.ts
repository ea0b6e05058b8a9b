import { useRef } from 'preact/hooks';

/** The object of before where the new one says the same: whoever depends on it has nothing to do. */
export const useSame = <T>(value: T): T => {
  const kept = useRef(value);
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value;
  return kept.current;
};
