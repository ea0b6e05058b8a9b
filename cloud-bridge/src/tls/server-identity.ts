import { readFileSync } from 'node:fs';
import { fingerprintOf, type KeyAndCertificate, openCertificateAuthority } from './certificate-authority.ts';

export interface ServerIdentity extends KeyAndCertificate {
  /** What a person compares: of our own authority, or of the certificate that was given. */
  readonly fingerprint: string;
}

export interface IdentityOptions {
  readonly dataDir: string;
  readonly now: number;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The names and addresses that clients will use. */
  readonly names: readonly string[];
}

/** The given certificate, or one from the bridge's own authority. */
export const serverIdentity = async (options: IdentityOptions): Promise<ServerIdentity> => {
  const { certificateFile, keyFile } = options;
  if (certificateFile !== undefined && keyFile !== undefined) {
    const certificate = readFileSync(certificateFile, 'utf8');
    return { certificate, key: readFileSync(keyFile, 'utf8'), fingerprint: fingerprintOf(certificate) };
  }
  const authority = await openCertificateAuthority(options.dataDir, options.now);
  const names = [...new Set([...options.names, 'localhost', '127.0.0.1', '::1'])];
  const issued = await authority.issueServerCertificate(names, options.now);
  return { ...issued, fingerprint: authority.fingerprint };
};
