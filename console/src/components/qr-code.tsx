import encodeQrCode from 'qr';
import { useMemo } from 'preact/hooks';

const BORDER = 2;
/* A screen is neither dirty nor torn, and fewer modules are easier to scan. */

const pathOf = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const modules = useMemo(() => encodeQrCode(text, 'raw', { border: BORDER, ecc: 'low' }), [text]);
  return (
    <svg class="qr-code" viewBox={`0 0 ${modules.length} ${modules.length}`} role="img" aria-label={label}>
      <path d={pathOf(modules)} />
    </svg>
  );
};
