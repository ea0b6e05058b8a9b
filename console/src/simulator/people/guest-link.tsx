import encodeQrCode from 'qr';
import { useMemo } from 'preact/hooks';

const BORDER = 2;

const pathOf = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const modules = useMemo(() => encodeQrCode(text, 'raw', { border: BORDER }), [text]);
  return (
    <svg class="qr-code" viewBox={`0 0 ${modules.length} ${modules.length}`} role="img" aria-label={label}>
      <path d={pathOf(modules)} />
    </svg>
  );
};

interface GuestLinkProps {
  readonly url: string;
  readonly name: string;
}

/** The link that a guest gets by email, with a QR code. */
export const GuestLink = ({ url, name }: GuestLinkProps) => (
  <details class="guest-link">
    <summary>Guest page of {name}</summary>
    <p>
      <a href={url} target="_blank" rel="noreferrer">
        Open the guest page
      </a>
    </p>
    <QrCode text={url} label={`QR code of the guest page of ${name}`} />
    <p class="description">The link works on this computer, where the bridge runs.</p>
  </details>
);
