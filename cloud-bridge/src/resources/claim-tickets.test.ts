import { createClaimTicketRequestSchema } from '@lintel/wire-protocol/admin/claim-ticket';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimTicketRow } from '../storage/organization-key-and-claim-ticket-schema.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import {
  hashClaimCode,
  computeClaimTicketStatus,
  issueClaimTicket,
  redeemClaimTicket,
  revokeClaimTicket,
} from './claim-tickets.ts';

const test = useTestOrganization();
let site: string;
beforeEach(async () => {
  site = (await test.organization.site()).id;
});
const issue = (given: object = {}) =>
  test.organization.write(context =>
    issueClaimTicket(
      context,
      parseTestBody(createClaimTicketRequestSchema, { site_id: site, expires_in: 600, ...given }),
      {
        publicUrl: 'https://doors.example.com',
        caFingerprint: null,
      },
    ),
  );

describe('computeClaimTicketStatus', () => {
  const row = { expires_at: 100, redeemed_at: null, revoked_at: null } as ClaimTicketRow;

  it.each<[string, Partial<ClaimTicketRow>, number]>([
    ['open', {}, 99],
    ['expired', {}, 100],
    ['revoked', { revoked_at: 50 }, 200],
    ['redeemed', { redeemed_at: 50 }, 200],
    ['redeemed', { redeemed_at: 50, revoked_at: 60 }, 60],
  ])('is %s for %j at %i', (status, change, now) => {
    expect(computeClaimTicketStatus({ ...row, ...change }, now)).toBe(status);
  });
});

describe('hashClaimCode', () => {
  it('ignores case, hyphens and characters that look alike', () => {
    expect(hashClaimCode('7k3m0qxwpt5h')).toBe(hashClaimCode('7K3M-0QXW-PT5H'));
    expect(hashClaimCode('7K3M-OQXW-PT5H')).toBe(hashClaimCode('7K3M-0QXW-PT5H'));
    expect(hashClaimCode('7K3M-0QXW-PT5J')).not.toBe(hashClaimCode('7K3M-0QXW-PT5H'));
  });
});

describe('issueClaimTicket', () => {
  it('expires after the given seconds and stores only a hash of the code', async () => {
    const { row, code } = await issue();
    expect(row.expires_at).toBe(test.database.clock.now + 600_000);
    expect(row.code_hash).toBe(hashClaimCode(code));
    expect(JSON.stringify(row)).not.toContain(code);
  });

  it('issues a different code each time, with the same organization key', async () => {
    const [first, second] = [await issue(), await issue()];
    expect(first.code).not.toBe(second.code);
    const keys = await test.organization.write(({ db, organizationId }) =>
      db.selectFrom('organization_keys').selectAll().where('organization_id', '=', organizationId).execute(),
    );
    expect(keys).toHaveLength(1);
  });

  it('rejects an unknown site and a device of another site', async () => {
    expect(await captureApiError(issue({ site_id: 'site_unknown' }))).toBe('invalid_request: site_id');
    const { device } = await test.organization.device((await test.organization.site()).id);
    expect(await captureApiError(issue({ device_id: device.id }))).toBe('invalid_request: device_id');
  });
});

describe('revokeClaimTicket', () => {
  const revoke = (row: ClaimTicketRow) => test.organization.write(context => revokeClaimTicket(context, row));

  it('revokes an open ticket once', async () => {
    const { row } = await issue();
    const revoked = await revoke(row);
    expect(revoked.revoked_at).toBe(test.database.clock.now);
    expect(await test.organization.eventsOf(() => revoke(revoked))).toEqual([]);
  });

  it('leaves an expired or redeemed ticket as it is', async () => {
    const { row } = await issue();
    const redeemed = await test.organization.write(context => redeemClaimTicket(context, row, 'dev_1'));
    expect((await revoke(redeemed)).revoked_at).toBeNull();
    const expired = (await issue()).row;
    test.database.clock.now += 600_000;
    expect((await revoke(expired)).revoked_at).toBeNull();
  });
});
