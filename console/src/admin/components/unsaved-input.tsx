import { createContext, type ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { useMessages } from '../messages/language.ts';

interface UnsavedInput {
  /** Counts a form with input that is not saved. Returns a function that ends it. */
  readonly add: () => () => void;
  /** Does it at once, or after the question if a form has input that is not saved. */
  readonly leave: (work: () => void) => void;
  /** The same for one form of several. */
  readonly ask: (work: () => void) => void;
}

const UnsavedInputContext = createContext<UnsavedInput | null>(null);

/** The address that a click opens inside the console; null if the browser or the page handles the click. */
const findInternalAddress = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const link = event.composedPath().find(element => element instanceof HTMLAnchorElement);
  if (link === undefined || link.origin !== location.origin || link.hasAttribute('download')) return null;
  if (!['', '_self'].includes(link.target) || link.pathname === location.pathname) return null;
  return link.pathname.startsWith('/organizations/') ? `${link.pathname}${link.search}${link.hash}` : null;
};

/** Asks before input that is not saved is lost: by a link, by the back button, by a reload and by closing its dialog. */
export const UnsavedInputProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const { general } = useMessages();
  const { url, route } = useLocation();
  const forms = useRef(new Set<object>());
  const shown = useRef(url);
  shown.current = url;
  const [waiting, setWaiting] = useState<{ readonly work: () => void } | null>(null);
  const ask = (work: () => void): void => setWaiting({ work });
  const leave = (work: () => void): void => (forms.current.size === 0 ? work() : ask(work));
  // Listeners of the window run in the order of their registration, and these come before those of the router, which
  // adds its own after the first render. The provider stays as long as the page.
  useState(() => {
    const onClick = (event: MouseEvent): void => {
      const address = forms.current.size === 0 ? null : findInternalAddress(event);
      if (address === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      ask(() => route(address));
    };
    const onPopState = (event: PopStateEvent): void => {
      const { pathname, search, hash } = location;
      if (forms.current.size === 0 || pathname === new URL(shown.current, location.origin).pathname) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', shown.current);
      ask(() => route(`${pathname}${search}${hash}`));
    };
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      if (forms.current.size > 0) event.preventDefault();
    };
    window.addEventListener('click', onClick, true);
    window.addEventListener('popstate', onPopState);
    window.addEventListener('beforeunload', onBeforeUnload);
  });
  const [value] = useState<UnsavedInput>(() => ({
    add: () => {
      const form = {};
      forms.current.add(form);
      return () => void forms.current.delete(form);
    },
    leave,
    ask,
  }));
  const close = (): void => setWaiting(null);
  return (
    <UnsavedInputContext.Provider value={value}>
      {children}
      {waiting === null ? null : (
        <Dialog label={general.unsaved.title} onClose={close}>
          <h2>{general.unsaved.title}</h2>
          <p>{general.unsaved.text}</p>
          <div class="dialog-buttons">
            <Button onPress={close}>{general.unsaved.keep}</Button>
            <Button
              variant="danger"
              onPress={() => {
                close();
                waiting.work();
              }}
            >
              {general.unsaved.discard}
            </Button>
          </div>
        </Dialog>
      )}
    </UnsavedInputContext.Provider>
  );
};

const useContextValue = (): UnsavedInput => {
  const value = useContext(UnsavedInputContext);
  if (value === null) throw new Error('UnsavedInputProvider is missing');
  return value;
};

/** Leaves the screen by something else than a link. */
export const useLeaveScreen = (): UnsavedInput['leave'] => useContextValue().leave;

/** Protects the input of a form. Returns what closes the form: it asks first if there is unsaved input. */
export const useUnsavedInput = (isUnsaved: boolean): ((close: () => void) => void) => {
  const { add, ask } = useContextValue();
  useEffect(() => (isUnsaved ? add() : undefined), [isUnsaved]);
  return close => (isUnsaved ? ask(close) : close());
};

/** The same for a form that has no draft of its own: something was typed or chosen in it. */
export const useTypedInput = () => {
  const [isTyped, setTyped] = useState(false);
  const close = useUnsavedInput(isTyped);
  return { close, onInput: () => setTyped(true) };
};
