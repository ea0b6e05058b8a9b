import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Shows a notice at the top of the page for a few seconds. */
export const NoticeContext = createContext<(text: string, isError?: boolean) => void>(() => undefined);
export const useNotify = () => useContext(NoticeContext);
