import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { SignatureVerifierCache } from '@lintel/crypto/signature-verifier-cache';
import type { DeviceRowLoaders } from './queries/device-row-loaders.ts';
import type { AccountMailer } from './mail/account-mailer.ts';
import type { MailBudget } from './mail/mail-budget.ts';
import type { WebhookAddressGuard } from './http/webhook-address-guard.ts';
import type { RetentionDays } from './storage/retention-policy.ts';
import type { ResourceReader } from './queries/resource-reader.ts';
import type { MasterKeys } from './secrets/master-keys.ts';
import type { Storage } from './storage/open-storage.ts';
import type { CertificateAuthority } from './tls/certificate-authority.ts';
import type { DeletionClock } from './storage/deletion-clock.ts';
import type { OrganizationWriter } from './transactions/organization-writer.ts';

/** Which signed-in users may create organizations. */
export type OrganizationCreation = 'owners' | 'everyone' | 'nobody';

/** Dependencies of all routes, created in `main.ts`. */
export interface BridgeServices {
  readonly storage: Storage;
  readonly reader: ResourceReader;
  readonly writer: OrganizationWriter;
  readonly masterKeys: MasterKeys;
  readonly deviceRows: DeviceRowLoaders;
  /** For signatures of devices. */
  readonly deviceVerifiers: SignatureVerifierCache;
  readonly clock: () => Instant;
  /** The time for work that cannot be undone. */
  readonly deletionClock: DeletionClock;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The addresses that webhooks may reach. */
  readonly webhookAddresses: WebhookAddressGuard;
  /** The fingerprint that controllers pin when they are claimed; null if the bridge does not serve TLS. */
  readonly caFingerprint: string | null;
  /** Opens the bridge's own certificate authority, and creates it before its first use. Throws a KeyMaterialError. */
  readonly authority: () => Promise<CertificateAuthority>;
  /** Gives changed key files to the other bridges. Without a cluster secret it has no effect. */
  readonly publishKeys: () => Promise<void>;
  readonly accountMailer: AccountMailer;
  readonly mailBudget: MailBudget;
  readonly organizationCreation: OrganizationCreation;
  /** How long records are kept, unless the operator has set another limit for the organization. */
  readonly retention: RetentionDays;
}
