import { buildAlertWebhookSealContext } from './alert-rules.ts';
import { buildDigestKeySealContext } from './device-links-and-digest-keys.ts';
import { buildMagicLinkSealContext } from './magic-link-sealing-and-blind-index.ts';
import { buildOrganizationSigningKeySealContext } from './organization-signing-keys.ts';
import { buildPinSealContext } from './pin-reservations.ts';
import { buildWebhookSecretSealContext } from './webhooks.ts';

/** A column with sealed secrets. The context binds each value to its row. */
export interface SealedColumn {
  readonly table:
    | 'member_pins'
    | 'member_magic_links'
    | 'webhooks'
    | 'organization_keys'
    | 'device_links'
    | 'alert_rules';
  readonly id: string;
  readonly column: string;
  readonly contextOf: (organizationId: string, id: string) => string;
}

export const sealedPinColumn: SealedColumn = {
  table: 'member_pins',
  id: 'id',
  column: 'sealed',
  contextOf: buildPinSealContext,
};
export const sealedMagicLinkColumn: SealedColumn = {
  table: 'member_magic_links',
  id: 'id',
  column: 'sealed',
  contextOf: buildMagicLinkSealContext,
};
export const sealedColumnsWithoutBlindIndex: readonly SealedColumn[] = [
  { table: 'webhooks', id: 'id', column: 'sealed_secret', contextOf: buildWebhookSecretSealContext },
  {
    table: 'organization_keys',
    id: 'organization_id',
    column: 'sealed_private_key',
    contextOf: buildOrganizationSigningKeySealContext,
  },
  { table: 'device_links', id: 'device_id', column: 'sealed_digest_key', contextOf: buildDigestKeySealContext },
  { table: 'alert_rules', id: 'id', column: 'sealed_webhook', contextOf: buildAlertWebhookSealContext },
];

export const sealedColumns: readonly SealedColumn[] = [
  sealedPinColumn,
  sealedMagicLinkColumn,
  ...sealedColumnsWithoutBlindIndex,
];
