import { useState } from 'preact/hooks';
import { QrCode } from '../../components/qr-code.tsx';
import { Button } from '../../design/controls.tsx';
import { checkMarkIcon, copyIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';

interface SecretValueProps {
  readonly label: string;
  readonly value: string;
  /** For a link that a guest scans from this screen. */
  readonly hasQrCode?: boolean;
}

/** Longer texts, such as tokens, are shown in normal size. */
const LONGEST_LARGE = 24;

/** A PIN, a link or a token in large type, with a button to copy it. */
export const SecretValue = ({ label, value, hasQrCode = false }: SecretValueProps) => {
  const { general } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div class="secret">
      <p class="quiet small">{label}</p>
      <div class="secret-line">
        <output aria-label={label} data-is-long={value.length > LONGEST_LARGE ? '' : undefined}>
          {value}
        </output>
        <Button
          icon={isCopied ? checkMarkIcon : copyIcon}
          label={`${general.copy}: ${label}`}
          onPress={() => void copy()}
        >
          {isCopied ? general.copied : general.copy}
        </Button>
      </div>
      {hasQrCode ? <QrCode text={value} label={general.qrCodeOf(label)} /> : null}
    </div>
  );
};
