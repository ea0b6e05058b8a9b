import { readFileSync } from 'node:fs';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { FileError } from '@lintel/service/data-folder/file-error';
import {
  type CertificateAuthority,
  computeCertificateFingerprint,
  isKeyOfCertificate,
  type KeyAndCertificate,
} from './certificate-authority.ts';

export interface ServerIdentity extends KeyAndCertificate {
  /** Fingerprint for comparison by people: of the bridge's own authority, or of the given certificate. */
  readonly fingerprint: string;
}

export interface ServerIdentityOptions {
  /** Opens the bridge's own authority, if it is needed. */
  readonly authority: () => Promise<CertificateAuthority>;
  readonly now: number;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Names and addresses that clients use. */
  readonly names: readonly string[];
}

/** A file of the operator, of which no backup of the bridge has a copy. */
const readOptionFile = (file: string, option: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FileError(`--${option}: ${describeSystemError(error, file)}`, { cause: error });
  }
};

/** Loads the given certificate, or issues one from the bridge's own authority. */
export const loadOrIssueServerIdentity = async (options: ServerIdentityOptions): Promise<ServerIdentity> => {
  const { certificateFile, keyFile } = options;
  if (certificateFile !== undefined && keyFile !== undefined) {
    const [certificate, key] = [readOptionFile(certificateFile, 'tls-cert'), readOptionFile(keyFile, 'tls-key')];
    if (!isKeyOfCertificate(key, certificate))
      throw new FileError(
        `${certificateFile} is not a certificate in PEM form, or ${keyFile} is not its key. Give --tls-cert and --tls-key files that belong together.`,
      );
    return { certificate, key, fingerprint: computeCertificateFingerprint(certificate) };
  }
  const authority = await options.authority();
  const names = [...new Set([...options.names, 'localhost', '127.0.0.1', '::1'])];
  const issued = await authority.issueServerCertificate(names, options.now);
  return { ...issued, fingerprint: authority.fingerprint };
};
