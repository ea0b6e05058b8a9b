/** Debian's name of this machine's architecture. */
export const toDebianArchitecture = (arch: string = process.arch): string => (arch === 'x64' ? 'amd64' : arch);
