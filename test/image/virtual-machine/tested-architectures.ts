export type GuestArchitecture = 'arm64' | 'amd64';

const DEBIAN_NAMES: Readonly<Partial<Record<string, GuestArchitecture>>> = { arm64: 'arm64', x64: 'amd64' };

/** Debian's name of this machine's architecture. */
export const hostArchitecture = (nodeName: string = process.arch): GuestArchitecture => {
  const name = DEBIAN_NAMES[nodeName];
  if (name === undefined) throw new Error(`Images are built on amd64 and arm64 hosts, this one is ${nodeName}`);
  return name;
};

const other = (architecture: GuestArchitecture): GuestArchitecture => (architecture === 'arm64' ? 'amd64' : 'arm64');

const isArchitecture = (name: string): name is GuestArchitecture => name === 'arm64' || name === 'amd64';

/** The images to test: those named by LINTEL_IMAGE_ARCH, otherwise the host's own architecture and then the other one. */
export const testedArchitectures = (
  given = process.env['LINTEL_IMAGE_ARCH'],
  host = hostArchitecture(),
): readonly GuestArchitecture[] => {
  if (given === undefined || given === '') return [host, other(host)];
  const names = given.split(',');
  if (!names.every(isArchitecture)) throw new Error(`LINTEL_IMAGE_ARCH must be arm64, amd64 or both: ${given}`);
  return names;
};
