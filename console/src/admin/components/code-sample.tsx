import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { checkMarkIcon, copyIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';

/** Code or JSON that can be scrolled with the keyboard and copied. */
export const CodeSample = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const { general } = useMessages();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => undefined,
    );
  };
  return (
    <div class="code-sample">
      <pre class="raw-json" tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <Button
        icon={copied === text ? checkMarkIcon : copyIcon}
        variant="plain"
        label={`${general.copy}: ${label}`}
        onPress={copy}
      >
        {copied === text ? general.copied : general.copy}
      </Button>
    </div>
  );
};
