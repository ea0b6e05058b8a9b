export type Suite = 'bookworm' | 'trixie';
export const suites: readonly Suite[] = ['bookworm', 'trixie'];

const forReaders = ['libpcsclite1', 'pcscd', 'libccid', 'libusb-1.0-0'];

/**
 * The service for USB card readers, with what it needs and a small system may lack. What the Pi has already in this
 * version or a later one is left as it is.
 */
export const wantedPackages: Readonly<Record<Suite, readonly string[]>> = {
  bookworm: forReaders,
  trixie: [
    ...forReaders,
    'runit-helper',
    'polkitd',
    'libpolkit-gobject-1-0',
    'libpolkit-agent-1-0',
    'libduktape207',
    'xml-core',
    'sgml-base',
  ],
};
