import { QrCode } from '../../components/qr-code.tsx';

interface GuestLinkProps {
  readonly url: string;
  readonly name: string;
}

/** The link that a guest gets by email, with a QR code. */
export const GuestMagicLinkPanel = ({ url, name }: GuestLinkProps) => (
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
