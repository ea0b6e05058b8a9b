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
    // It lives on in the page.
  }
};

/** Typed text that outlives a reload of the tab. Nothing secret belongs here. */
export const useKeptText = (name: string, otherwise: string): [string, (text: string) => void] => {
  const [text, setText] = useState(() => read(name) ?? otherwise);
  return [
    text,
    next => {
      setText(next);
      write(name, next);
    },
  ];
};
