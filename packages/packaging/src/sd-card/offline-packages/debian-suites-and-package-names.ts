import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type DebianSuite = 'bookworm' | 'trixie';
export const debianSuites: readonly DebianSuite[] = ['bookworm', 'trixie'];

/** Names the Debian release of downloaded packages. */
export const DEBIAN_SUITE_FILE = 'suite';

/** Null without such a file. */
export const readDebianSuiteFile = (folder: string): DebianSuite | null => {
  try {
    const text = readFileSync(join(folder, DEBIAN_SUITE_FILE), 'utf8').trim();
    return debianSuites.find(suite => suite === text) ?? null;
  } catch {
    return null;
  }
};

const forReaders = ['libpcsclite1', 'pcscd', 'libccid', 'libusb-1.0-0'];

/** The service for USB card readers and the dependencies that a small system may lack. The Pi keeps later versions that it has. */
export const cardReaderPackageNames: Readonly<Record<DebianSuite, readonly string[]>> = {
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
