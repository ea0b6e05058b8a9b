import { useRef } from 'preact/hooks';

/** Returns the previous object while the content is equal, so that dependent hooks do not run. */
export const useStableValue = <T>(value: T): T => {
  const previous = useRef(value);
  if (JSON.stringify(previous.current) !== JSON.stringify(value)) previous.current = value;
  return previous.current;
};
