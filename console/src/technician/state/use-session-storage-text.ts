import { useState } from 'preact/hooks';

const keyOf = (name: string): string => `lintel-text:${name}`;

const read = (name: string): string | null => {
  try {
    return sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
};

const write = (name: string, text: string): void => {
  try {
    sessionStorage.setItem(keyOf(name), text);
  } catch {
    // Without storage the text is lost on reload only.
  }
};

/** Text state that survives a reload of the tab. Not for secrets. */
export const useSessionStorageText = (name: string): [string, (text: string) => void] => {
  const [text, setText] = useState(() => read(name) ?? '');
  return [
    text,
    next => {
      setText(next);
      write(name, next);
    },
  ];
};
