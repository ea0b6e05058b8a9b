import { readFileSync } from 'node:fs';
import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';
import {
  type RenewCertificateRequest,
  redeemClaimResponseSchema,
  redeemClaimRequestSchema,
  renewCertificateRequestSchema,
  encodeCertificateRenewalSigningBytes,
  renewCertificateResponseSchema,
} from './redeem-claim-and-renew-certificate.ts';
import { createGoldenKey } from './golden-keys.test-support.ts';

const goldenOf = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../golden/claiming/${name}.json`, import.meta.url), 'utf8'));

const schemas: readonly [string, z.ZodType][] = [
  ['redemption', redeemClaimRequestSchema],
  ['redeemed', redeemClaimResponseSchema],
  ['renewal', renewCertificateRequestSchema],
  ['renewed', renewCertificateResponseSchema],
];

describe('redemption', () => {
  it.each(schemas)('reads %s from its golden file', (name, schema) => {
    expect(parseWithSchema(schema, goldenOf(name))).toMatchObject({ ok: true });
  });

  it('requires a ticket or a code, but not both', () => {
    const { ticket, ...rest } = goldenOf('redemption');
    const pathsOf = (value: unknown): string[] => {
      const parsed = parseWithSchema(redeemClaimRequestSchema, value);
      return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
    };
    expect(pathsOf({ ...rest, code: '7K3M-0QXW-PT5H' })).toEqual([]);
    expect(pathsOf(rest)).toEqual(['ticket']);
    expect(pathsOf({ ...rest, ticket, code: '7K3M-0QXW-PT5H' })).toEqual(['code']);
    expect(pathsOf({ ...rest, ticket, digest_key: { id: 'k1', key: 'short' } })).toEqual(['digest_key.key']);
  });

  it('may leave the product to the device of the ticket, with an explicit null', () => {
    const golden = goldenOf('redemption');
    const { product_id, ...rest } = golden;
    expect(product_id).toBeDefined();
    expect(parseWithSchema(redeemClaimRequestSchema, { ...rest, product_id: null }).ok).toBe(true);
    expect(parseWithSchema(redeemClaimRequestSchema, rest).ok).toBe(false);
  });

  it('describes an own product completely or not at all', () => {
    const golden = goldenOf('redemption');
    const { product, ...rest } = golden as { product: { capabilities: Record<string, unknown> } };
    const pathsOf = (capabilities: object): string[] => {
      const parsed = parseWithSchema(redeemClaimRequestSchema, { ...rest, product: { ...product, capabilities } });
      return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
    };
    expect(parseWithSchema(redeemClaimRequestSchema, rest).ok).toBe(true);
    const { audio: _, ...partial } = product.capabilities;
    expect(pathsOf(partial)).toEqual(['product.capabilities.audio']);
    expect(pathsOf({ ...product.capabilities, gadgets: 'many' })).toEqual(['product.capabilities.gadgets']);
    expect(pathsOf({ ...product.capabilities, gadget_max_count: 65 })).toEqual([
      'product.capabilities.gadget_max_count',
    ]);
    expect(pathsOf({ ...product.capabilities, wings: true })).toEqual(['product.capabilities.wings']);
  });

  it('covers every field with the signature of a renewal', () => {
    const golden = goldenOf('renewal') as unknown as RenewCertificateRequest;
    const key = createGoldenKey('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
    const signature = Buffer.from(golden.signature, 'base64url');
    const fits = (change: Partial<RenewCertificateRequest>): boolean =>
      key.verify(encodeCertificateRenewalSigningBytes({ ...golden, ...change }), signature);
    expect(fits({})).toBe(true);
    for (const change of [{ device_id: 'dev_x' as DeviceId }, { serial: 'ff' }, { csr: 'x' }, { digest_key: null }]) {
      expect(fits(change)).toBe(false);
    }
  });
});
