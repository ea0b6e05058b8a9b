import { type RawBuilder, sql } from 'kysely';
import { buildIdInExpression } from './sql-conditions.ts';
import { BatchedLoader } from '../storage/batched-loader.ts';
import type { DeviceCertificateRow, DeviceLinkRow } from '../storage/device-schema.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { DeviceRow } from '../storage/schema.ts';
import type { LostEventsRow } from '../storage/revocation-event-loss-and-incident-schema.ts';

/** A certificate that is not revoked, of a device that is not deleted. It may have expired. */
export type UnrevokedCertificateRow = Pick<
  DeviceCertificateRow,
  'serial' | 'device_id' | 'organization_id' | 'public_key' | 'expires_at'
> &
  Pick<DeviceRow, 'site_id' | 'product_id'>;

export interface OrganizationCounters {
  readonly id: string;
  readonly revision: number;
  readonly revoke_counter: number;
}

/** Rows that the messages of devices need, loaded for all devices of one turn of the event loop at once. */
export class DeviceRowLoaders {
  /** By serial. */
  readonly certificates: BatchedLoader<UnrevokedCertificateRow>;
  /** By device. */
  readonly links: BatchedLoader<DeviceLinkRow>;
  readonly lostEvents: BatchedLoader<LostEventsRow>;
  /** By organization. */
  readonly counters: BatchedLoader<OrganizationCounters>;

  constructor({ reader, engine }: Pick<Storage, 'reader' | 'engine'>) {
    const byColumn = <R>(column: keyof R & string, select: (isListed: RawBuilder<unknown>) => RawBuilder<R>) =>
      new BatchedLoader<R>(async keys => {
        const isListed = buildIdInExpression(engine, sql`t.${sql.id(column)}`, keys);
        const { rows } = await select(isListed).execute(reader);
        return new Map(rows.map(row => [row[column] as string, row]));
      });
    this.certificates = byColumn<UnrevokedCertificateRow>(
      'serial',
      isListed => sql`select t.serial, t.device_id, t.organization_id, t.public_key, t.expires_at, d.site_id, d.product_id
        from device_certificates as t join devices as d on d.id = t.device_id
        where ${isListed} and t.revoked_at is null and d.is_deleted = 0`,
    );
    this.links = byColumn<DeviceLinkRow>(
      'device_id',
      isListed => sql`select * from device_links as t where ${isListed}`,
    );
    this.lostEvents = byColumn<LostEventsRow>(
      'device_id',
      isListed => sql`select * from lost_events as t where ${isListed}`,
    );
    this.counters = byColumn<OrganizationCounters>(
      'id',
      isListed => sql`select t.id, t.revision, coalesce(k.revoke_counter, 0) as revoke_counter
        from organizations as t left join organization_keys as k on k.organization_id = t.id where ${isListed}`,
    );
  }
}
