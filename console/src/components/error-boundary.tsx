import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef } from 'preact/hooks';
import { Button } from '../design/controls.tsx';

interface ErrorBoundaryProps {
  readonly texts: { readonly title: string; readonly text: string; readonly reload: string };
  /** The boundary renders its children again when another screen is opened. */
  readonly screen?: string;
  readonly children: ComponentChildren;
}

/** Shows a message instead of a screen that fails to render, and logs the error. */
export const ErrorBoundary = ({ texts, screen = '', children }: ErrorBoundaryProps) => {
  const failedScreen = useRef<string | null>(null);
  useErrorBoundary(error => {
    console.error(error);
    failedScreen.current = screen;
  });
  if (failedScreen.current !== screen) {
    failedScreen.current = null;
    return <>{children}</>;
  }
  return (
    <section class="card panel" role="alert">
      <h1>{texts.title}</h1>
      <p>{texts.text}</p>
      <Button variant="primary" onPress={() => location.reload()}>
        {texts.reload}
      </Button>
    </section>
  );
};
