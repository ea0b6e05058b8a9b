import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClaimTicket, signClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '@lintel/test/support/manual-timers';
import type { requestClaimRedemption } from './claim-client.ts';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import { ClaimService } from './claim-service.ts';
import { type DeviceEnrollment, EnrollmentFile } from './device-enrollment.ts';
import { PendingClaimFile } from './pending-claim.ts';

const organization = generateKeyPairSync('ed25519');
const EXPIRES_AT = 1_790_000_000_000;
const ticket = signClaimTicket(
  {
    v: 1,
    id: 'clt_1',
    organization_id: 'org_1',
    site_id: 'site_1',
    device_id: null,
    bridge_url: 'https://doors.example.test',
    ca_fingerprint: null,
    organization_key: organization.publicKey.export({ format: 'jwk' }).x,
    expires_at: EXPIRES_AT,
  } as unknown as ClaimTicket,
  bytes => sign(null, bytes, organization.privateKey),
);
const enrollment = {
  v: 1,
  device_id: 'dev_1',
  organization_id: 'org_1',
  site_id: 'site_1',
  product_id: 'virtual',
  organization_key: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg',
  bridge_url: 'https://doors.example.test',
  ca_fingerprint: null,
  serial: '01a7',
  certificate: 'PEM',
  ca_certificate: 'PEM',
  renew_after: 1,
  expires_at: 2,
  brokers: { mqtts: null, mqtt: null },
} as unknown as DeviceEnrollment;
const description = { productId: 'virtual', revisionId: '1', name: 'Front' };

let folder: string;
let now: number;
let timers: ManualTimers;
let log: string[];
/** The responses of the bridge to each attempt; the last one repeats. */
let answers: Array<() => DeviceEnrollment>;
let asked: Parameters<typeof requestClaimRedemption>[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-claiming-'));
  now = EXPIRES_AT - 3_600_000;
  timers = new ManualTimers();
  log = [];
  answers = [() => enrollment];
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const claimingIn = (given: { readonly signedNow?: () => number } = {}): ClaimService =>
  new ClaimService({
    ...given,
    enrollmentFile: new EnrollmentFile(folder),
    pendingFile: new PendingClaimFile(folder),
    device: () => ({}) as never,
    now: () => now,
    random: () => 1,
    log: (_, message, facts = {}) => log.push([message, ...Object.values(facts)].join(' ')),
    timers,
    redeem: async (...given) => {
      asked.push(given);
      return (answers.length > 1 ? answers.shift()! : answers[0]!)();
    },
  });

const noLine = (): never => {
  throw new ClaimOrRenewalError('no line', false);
};
const pendingFile = (): string => join(folder, 'identity', 'pending-claim.json');

describe('claim', () => {
  it('asks the bridge at once, saves the enrollment and reports it', async () => {
    const claiming = claimingIn();
    const reported: string[] = [];
    claiming.onClaimed(({ device_id }) => reported.push(device_id));
    expect(claiming.requestClaim({ ticket, description })).toMatchObject({
      ok: true,
      value: { organization_id: 'org_1', site_id: 'site_1', bridge_url: 'https://doors.example.test', attempts: 0 },
    });
    await timers.fire();
    expect(reported).toEqual(['dev_1']);
    expect(asked[0]!.slice(2)).toMatchObject([description, { now }]);
    expect(new EnrollmentFile(folder).read()).toEqual({ ok: true, value: enrollment });
    expect([claiming.pendingClaim(), existsSync(pendingFile()), timers.next]).toEqual([null, false, null]);
  });

  it("judges the age of a ticket by the bridge's time, not by a wrong time server", async () => {
    const right = now;
    now = EXPIRES_AT + 70 * 365 * 86_400_000;
    const claiming = claimingIn({ signedNow: () => right });
    expect(claiming.requestClaim({ ticket, description }).ok).toBe(true);
    await timers.fire();
    expect(asked[0]![3].now).toBe(right);
    expect(claiming.failedClaim).toBeNull();
  });

  it('keeps the definition of a custom product over a restart', async () => {
    const capabilities = {
      gadgets: 'single',
      gadget_max_count: 1,
      script: false,
      internet: true,
      ethernet: true,
      wifi: false,
      cellular: false,
      pin: false,
      nfc: true,
      input_rules: true,
      mains: true,
      battery: false,
      battery_rechargeable: false,
      audio: false,
    } as const;
    const own = { ...description, productId: 'my-door', product: { name: 'My door', capabilities } };
    answers = [noLine, () => enrollment];
    const before = claimingIn();
    before.requestClaim({ ticket, description: own });
    await timers.fire();
    before.stop();
    claimingIn().start();
    await timers.fire();
    expect(asked.map(([, , reported]) => reported)).toEqual([own, own]);
  });

  it('retries at increasing intervals while offline, also after a restart', async () => {
    answers = [noLine, noLine, noLine, () => enrollment];
    const before = claimingIn();
    before.requestClaim({ ticket, description });
    expect(statSync(pendingFile()).mode & 0o777).toBe(0o600);
    const waits: (number | null)[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      await timers.fire();
      waits.push(timers.next);
    }
    expect(waits).toEqual([2000, 4000]);
    expect(before.pendingClaim()).toMatchObject({ attempts: 2, last_problem: 'no line' });
    before.stop();
    timers = new ManualTimers();
    const after = claimingIn();
    after.start();
    await timers.fire();
    await timers.fire();
    expect(new EnrollmentFile(folder).read()).toMatchObject({ value: { device_id: 'dev_1' } });
    expect(asked.map(([proof]) => proof)).toEqual(Array.from({ length: 4 }, () => ({ ticket })));
  });

  it('ends with the reason when the bridge rejects it', async () => {
    answers = [
      () => {
        throw new ClaimOrRenewalError('The ticket has been used', true, 'ticket');
      },
    ];
    const claiming = claimingIn();
    claiming.requestClaim({ ticket, description });
    await timers.fire();
    expect(claiming.failedClaim).toEqual({ message: 'The ticket has been used', field: 'ticket', at: now });
    expect([claiming.pendingClaim(), existsSync(pendingFile()), timers.next]).toEqual([null, false, null]);
  });

  it('ends when the ticket expires while waiting', async () => {
    answers = [noLine];
    const claiming = claimingIn();
    claiming.requestClaim({ ticket, description });
    await timers.fire();
    now = EXPIRES_AT;
    await timers.fire();
    expect(asked).toHaveLength(1);
    expect(claiming.failedClaim).toMatchObject({ field: 'ticket' });
  });

  it('rejects an invalid ticket without contacting the bridge', () => {
    const claiming = claimingIn();
    const codeOf = (request: Parameters<ClaimService['requestClaim']>[0]): string => {
      const answer = claiming.requestClaim(request);
      return answer.ok ? 'taken' : `${answer.problems[0]!.path} ${answer.problems[0]!.code}`;
    };
    const bridge = { bridgeUrl: 'https://doors.example.test', caFingerprint: null };
    expect(codeOf({ ticket: `${ticket.slice(0, -8)}AAAAAAAA`, description })).toMatch(/^ticket /);
    expect(codeOf({ code: '123', ...bridge, description })).toBe('code invalid_code');
    expect(codeOf({ code: '7K3M-0QXW-PT5H', ...bridge, bridgeUrl: 'ftp://x', description })).toBe(
      'bridge_url invalid_url',
    );
    now = EXPIRES_AT;
    expect(codeOf({ ticket, description })).toBe('ticket expired');
    expect(timers.next).toBeNull();
    expect(codeOf({ code: '7K3M-0QXW-PT5H', ...bridge, description })).toBe('taken');
  });

  it('does not replace an existing enrollment unless requested', () => {
    new EnrollmentFile(folder).write(enrollment);
    const claiming = claimingIn();
    expect(claiming.requestClaim({ ticket, description })).toMatchObject({ problems: [{ code: 'already_claimed' }] });
    expect(claiming.requestClaim({ ticket, description, replaces: true })).toMatchObject({ ok: true });
  });

  it('can be canceled, also while it is in progress', async () => {
    const claiming = claimingIn();
    answers = [
      () => {
        claiming.cancel();
        return enrollment;
      },
    ];
    claiming.requestClaim({ ticket, description });
    await timers.fire();
    expect(new EnrollmentFile(folder).read()).toEqual({ ok: true, value: null });
    expect(existsSync(pendingFile())).toBe(false);
  });

  it('writes neither ticket nor code to the log or the status', async () => {
    answers = [noLine];
    const claiming = claimingIn();
    claiming.requestClaim({
      code: '7K3M-0QXW-PT5H',
      bridgeUrl: 'https://doors.example.test',
      caFingerprint: null,
      description,
    });
    await timers.fire();
    expect(JSON.stringify([log, claiming.pendingClaim()])).not.toContain('7K3M');
    expect(readFileSync(pendingFile(), 'utf8')).toContain('7K3M');
  });
});
