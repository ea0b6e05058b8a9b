import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { readAuthorityCheckValue, recordAuthorityCheckValue } from '../secrets/key-check-values.ts';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import type { Database } from '../storage/schema.ts';
import { type CertificateAuthority, openCertificateAuthority } from '../tls/certificate-authority.ts';

const findDeviceCertificate = async (db: Kysely<Database>): Promise<string | null> => {
  const row = await db
    .selectFrom('device_certificates')
    .select('certificate')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.certificate ?? null;
};

/** True when controllers or a database record depend on the authority. */
export const isAuthorityInUse = async (db: Kysely<Database>): Promise<boolean> =>
  (await readAuthorityCheckValue(db)) !== null || (await findDeviceCertificate(db)) !== null;

const hasIssued = (authority: CertificateAuthority, certificate: string): boolean =>
  new X509Certificate(certificate).verify(new X509Certificate(authority.certificate).publicKey);

/** Opens the authority and verifies that it belongs to the database. Creates it only before its first use. Throws a KeyMaterialError. */
export const openVerifiedAuthority = async (
  db: Kysely<Database>,
  dataDir: string,
  now: number,
): Promise<CertificateAuthority> => {
  const recorded = await readAuthorityCheckValue(db);
  const issued = recorded === null ? await findDeviceCertificate(db) : null;
  const explain = (error: string): string =>
    `${error} If they are lost, \`lintel keys reset --confirm\` creates a new authority; then claim every controller again.`;
  let authority: CertificateAuthority;
  try {
    authority = await openCertificateAuthority(dataDir, now, recorded === null && issued === null);
  } catch (error) {
    throw error instanceof KeyMaterialError ? new KeyMaterialError(explain(error.message)) : error;
  }
  const isWrong = issued !== null && !hasIssued(authority, issued);
  if (isWrong || (await recordAuthorityCheckValue(db, authority.fingerprint, now)) !== authority.fingerprint) {
    throw new KeyMaterialError(
      explain(
        `${join(dataDir, 'ca.pem')} is not the certificate authority of this database. Restore ca.pem and ca-key.pem from a backup or from another bridge.`,
      ),
    );
  }
  return authority;
};
