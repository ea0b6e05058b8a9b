/** As Debian calls it. */
export const machineArch = (arch: string = process.arch): string => (arch === 'x64' ? 'amd64' : arch);
