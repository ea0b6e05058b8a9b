import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { describe, expect, it } from 'vitest';
import { captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { findProduct, storeReportedProduct } from './organization-products.ts';

const test = useTestOrganization();
const capabilities: DeviceCapabilities = {
  gadgets: 'multiple',
  gadget_max_count: 2,
  script: false,
  internet: true,
  ethernet: true,
  wifi: false,
  cellular: false,
  pin: true,
  nfc: false,
  input_rules: true,
  mains: true,
  battery: false,
  battery_rechargeable: false,
  audio: false,
};
const claimedProduct = (change: object = {}) => ({
  product_id: 'home-made',
  revision_id: '1',
  product: { name: 'Home-made', capabilities },
  ...change,
});
const keep = (given: object, organization = test.organization) =>
  organization.write(context => storeReportedProduct(context, given as never));
const find = (id: string, organization = test.organization) => organization.write(context => findProduct(context, id));

describe('storeReportedProduct', () => {
  it('stores a product for its organization only', async () => {
    expect(await keep(claimedProduct())).toMatchObject({ id: 'home-made', revision_id: '1' });
    expect(await find('home-made')).toMatchObject({ name: 'Home-made' });
    expect(await find('home-made', await test.database.addOrganization())).toBeUndefined();
  });

  it('stores nothing for a shipped product or without a description', async () => {
    expect(await keep(claimedProduct({ product_id: 'multiple' }))).toBeNull();
    expect(await keep(claimedProduct({ product: undefined }))).toBeNull();
    expect(await keep(claimedProduct({ product_id: null }))).toBeNull();
  });

  it('accepts the same revision again, and rejects it with other capabilities', async () => {
    await keep(claimedProduct());
    expect(await keep(claimedProduct())).toMatchObject({ revision_id: '1' });
    const changed = claimedProduct({ product: { name: 'Home-made', capabilities: { ...capabilities, nfc: true } } });
    expect(await captureApiError(keep(changed))).toBe('invalid_request: revision_id');
  });

  it('replaces the previous revision', async () => {
    await keep(claimedProduct());
    const next = { ...capabilities, nfc: true };
    await keep(claimedProduct({ revision_id: '2', product: { name: 'Home-made', capabilities: next } }));
    const found = await find('home-made');
    expect(found).toMatchObject({ revision_id: '2', capabilities: JSON.stringify(next) });
  });

  it('reports the invalid field of the request', async () => {
    const product = { name: 'Home-made', capabilities: { ...capabilities, gadget_max_count: 'many' } };
    expect(await captureApiError(keep(claimedProduct({ product })))).toBe(
      'invalid_request: product.capabilities.gadget_max_count',
    );
    expect(await captureApiError(keep(claimedProduct({ revision_id: '' })))).toBe('invalid_request: revision_id');
  });

  it('rejects the 101st product of an organization, but not a new revision of a known one', async () => {
    await test.organization.write(async ({ db, organizationId }) => {
      const row = { organization_id: organizationId, name: 'n', revision_id: '1', capabilities: '{}' };
      const rows = Array.from({ length: 99 }, (_, index) => ({ ...row, id: `own-${index}` }));
      await db.insertInto('organization_products').values(rows).execute();
    });
    await keep(claimedProduct());
    expect(await captureApiError(keep(claimedProduct({ product_id: 'one-more' })))).toBe('invalid_request: product');
    expect(await keep(claimedProduct({ revision_id: '2' }))).toMatchObject({ revision_id: '2' });
  });
});
