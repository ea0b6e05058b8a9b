import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  doorGadgetRequest,
  parseTestBody,
  captureApiError,
  useTestOrganization,
} from '../test-organization.test-support.ts';
import { storeDeviceCertificate } from './device-certificates.ts';
import { replaceDeviceHardware } from './replace-device-hardware.ts';
import { createDevice, deleteDevice, editDevice, applyProductRevision } from './devices.ts';
import { deleteGadget } from './gadgets.ts';
import { createTag } from './tags.ts';

const test = useTestOrganization();
let site: string;
beforeEach(async () => {
  site = (await test.organization.site()).id;
});

const newHardware = (): string => test.database.services.newId('hardware');
const create = (given: object = {}, organization = test.organization) =>
  organization.write(context =>
    createDevice(context, { site_id: site, name: 'Device', product_id: 'multiple', ...given } as never),
  );
const edit = (id: string, given: object) => test.organization.write(context => editDevice(context, id, given as never));
const remove = (id: string) => test.organization.write(context => deleteDevice(context, id));
const ruleFor = (gadgetId: string, code = '', action_id = 'open') => ({ code, gadget_id: gadgetId, action_id });

describe('createDevice', () => {
  it('creates the gadgets in the given order, at the site of the device', async () => {
    const { device, gadgets } = await create({
      gadgets: [
        { ...doorGadgetRequest, name: 'A' },
        { ...doorGadgetRequest, name: 'B' },
      ],
    });
    expect(gadgets.map(({ name, device_id, site_id }) => [name, device_id, site_id])).toEqual([
      ['A', device.id, site],
      ['B', device.id, site],
    ]);
  });

  it('creates a virtual device without hardware: online and without a revision', async () => {
    const { device } = await create();
    expect(device).toMatchObject({ hardware_id: null, revision_id: null });
    expect(JSON.parse(device.status)).toMatchObject({ online: true });
  });

  it('gives hardware the current revision of its product unless another is given', async () => {
    expect((await create({ hardware_id: newHardware() })).device.revision_id).toBe('r1');
    expect((await create({ hardware_id: newHardware(), revision_id: 'r0' })).device.revision_id).toBe('r0');
  });

  it.each([
    ['product_id', { product_id: 'unknown' }],
    ['site_id', { site_id: 'site_unknown' }],
    ['gadgets', { product_id: 'single' }],
    ['gadgets', { product_id: 'gateway', gadgets: [doorGadgetRequest] }],
    ['gadgets', { gadgets: Array.from({ length: 4 }, () => doorGadgetRequest) }],
    ['gadgets.0.state_id', { gadgets: [{ ...doorGadgetRequest, state_id: 'burning' }] }],
    ['input_rules', { product_id: 'gateway', input_rules: [{}] }],
    ['tag_ids.0', { tag_ids: ['tag_unknown'] }],
  ])('rejects an invalid %s: %j', async (field, given) => {
    expect(await captureApiError(create(given))).toBe(`invalid_request: ${field}`);
  });

  it('rejects hardware that is in use until that device is deleted', async () => {
    const hardware_id = newHardware();
    const { device } = await create({ hardware_id });
    expect(await captureApiError(create({ hardware_id }))).toBe('invalid_request: hardware_id');
    await test.organization.write(context => deleteDevice(context, device.id));
    expect((await create({ hardware_id })).device.hardware_id).toBe(hardware_id);
  });

  it('is not blocked by another organization that uses the same hardware id', async () => {
    const hardware_id = newHardware();
    const other = await test.database.addOrganization();
    await create({ hardware_id, site_id: (await other.site()).id }, other);
    expect((await create({ hardware_id })).device.hardware_id).toBe(hardware_id);
  });

  it('writes nothing when a gadget is rejected', async () => {
    const gadgets = [doorGadgetRequest, { ...doorGadgetRequest, tag_ids: ['tag_unknown'] }];
    expect(await test.organization.eventsOf(() => captureApiError(create({ gadgets })))).toEqual([]);
  });
});

describe('editDevice', () => {
  it('resets the status when the hardware changes and keeps it otherwise', async () => {
    const { device } = await create();
    expect(JSON.parse((await edit(device.id, { name: 'Renamed' })).status)).toMatchObject({ online: true });
    const claimed = await edit(device.id, { hardware_id: newHardware() });
    expect(JSON.parse(claimed.status)).toMatchObject({ online: false });
  });

  it('accepts the hardware that it already has', async () => {
    const hardware_id = newHardware();
    const { device } = await create({ hardware_id });
    expect(await test.organization.eventsOf(() => edit(device.id, { hardware_id }))).toEqual([]);
  });

  it('checks the destinations of input rules', async () => {
    const { device, gadgets } = await create({ gadgets: [doorGadgetRequest] });
    const door = gadgets[0]!.id;
    const rules = [ruleFor(door), ruleFor(door, '#1', 'close')];
    expect(JSON.parse((await edit(device.id, { input_rules: rules })).input_rules)).toEqual(rules);
    const wrongAction = [ruleFor(door, '', 'explode')];
    expect(await captureApiError(edit(device.id, { input_rules: wrongAction }))).toBe(
      'invalid_request: input_rules.0.action_id',
    );
    const unknown = [ruleFor(test.database.services.newId('gadget'))];
    expect(await captureApiError(edit(device.id, { input_rules: unknown }))).toBe(
      'invalid_request: input_rules.0.gadget_id',
    );
  });

  it('accepts a gadget of another device of the organization as a destination, but not a deleted one', async () => {
    const [first, second] = [await create(), await create({ gadgets: [doorGadgetRequest] })];
    const rules = [ruleFor(second.gadgets[0]!.id)];
    expect(JSON.parse((await edit(first.device.id, { input_rules: rules })).input_rules)).toEqual(rules);
    await test.organization.write(context => deleteGadget(context, second.gadgets[0]!.id, { isForced: true }));
    expect(await captureApiError(edit(first.device.id, { input_rules: rules }))).toBe(
      'invalid_request: input_rules.0.gadget_id',
    );
  });

  it('replaces the tags', async () => {
    const tag = await test.organization.write(context =>
      createTag(context, parseTestBody(createTagRequestSchema, { name: 'North' })),
    );
    const { device } = await create({ tag_ids: [tag.id] });
    expect(device.tag_ids).toBe(JSON.stringify([tag.id]));
    expect((await edit(device.id, { tag_ids: [] })).tag_ids).toBe('[]');
  });
});

describe('applyProductRevision', () => {
  const product = (capabilities: object) => ({
    id: 'multiple',
    name: 'multiple',
    revision_id: 'r2',
    capabilities: JSON.stringify(capabilities),
  });

  it('applies capabilities and revision', async () => {
    const { device } = await create({ gadgets: [doorGadgetRequest] });
    const next = product({ gadgets: 'multiple', gadget_max_count: 8, input_rules: true });
    const refitted = await test.organization.write(context => applyProductRevision(context, device, next));
    expect(refitted).toMatchObject({ revision_id: 'r2', capabilities: next.capabilities });
  });

  it('rejects a revision that allows fewer gadgets than the device has', async () => {
    const { device } = await create({ gadgets: [doorGadgetRequest, doorGadgetRequest] });
    const next = product({ gadgets: 'multiple', gadget_max_count: 1, input_rules: true });
    const refit = test.organization.write(context => applyProductRevision(context, device, next));
    expect(await captureApiError(refit)).toBe('invalid_request: product.capabilities.gadgets');
  });

  it('rejects a revision without input rules while the device has some', async () => {
    const { device, gadgets } = await create({ gadgets: [doorGadgetRequest] });
    const ruled = await edit(device.id, { input_rules: [ruleFor(gadgets[0]!.id)] });
    const next = product({ gadgets: 'multiple', gadget_max_count: 3, input_rules: false });
    const refit = test.organization.write(context => applyProductRevision(context, ruled, next));
    expect(await captureApiError(refit)).toBe('invalid_request: product.capabilities.input_rules');
  });
});

describe('deleteDevice', () => {
  it('also deletes its gadgets, including the only one of a single-gadget product', async () => {
    const { device } = await create({ product_id: 'single', gadgets: [doorGadgetRequest] });
    expect(await test.organization.eventsOf(() => remove(device.id))).toEqual(['delete gadget', 'delete device']);
    expect(await test.organization.eventsOf(() => remove(device.id))).toEqual([]);
    expect(await captureApiError(edit(device.id, { name: 'x' }))).toBe('not_found');
  });
});

describe('certificates of a device', () => {
  const issue = (deviceId: string, hardwareId: string, serial: string) =>
    test.organization.write(context =>
      storeDeviceCertificate(
        context,
        { serial, publicKey: 'key', certificate: 'pem', expiresAt: context.now + 1000 },
        { deviceId, hardwareId, claimTicketId: null },
      ),
    );
  const revokedAt = async (deviceId: string) =>
    (
      await test.database.services.storage.writer
        .selectFrom('device_certificates')
        .select('revoked_at')
        .where('device_id', '=', deviceId)
        .orderBy('serial')
        .execute()
    ).map(({ revoked_at }) => revoked_at);

  it('are revoked when the device is deleted, each at the time of its own revocation', async () => {
    const hardware_id = newHardware();
    const { device } = await create({ hardware_id });
    await issue(device.id, hardware_id, `${device.id}-1`);
    await test.organization.write(context =>
      replaceDeviceHardware(context, device, { hardware_id: newHardware() as never }),
    );
    const first = test.database.clock.now;
    await issue(device.id, hardware_id, `${device.id}-2`);
    test.database.clock.now += 5000;
    await remove(device.id);
    expect(await revokedAt(device.id)).toEqual([first, first + 5000]);
  });

  it('stay valid when the hardware is replaced by itself', async () => {
    const hardware_id = newHardware();
    const { device } = await create({ hardware_id });
    await issue(device.id, hardware_id, `${device.id}-1`);
    const replace = () =>
      test.organization.write(context => replaceDeviceHardware(context, device, { hardware_id: hardware_id as never }));
    expect(await test.organization.eventsOf(replace)).toEqual([]);
    expect(await revokedAt(device.id)).toEqual([null]);
  });

  it('are not required to replace hardware, which logs events for the old and the new hardware', async () => {
    const { device } = await create({ hardware_id: newHardware() });
    const replace = () =>
      test.organization.write(context =>
        replaceDeviceHardware(context, device, { hardware_id: newHardware() as never }),
      );
    expect(await test.organization.eventsOf(replace)).toEqual(['delete hardware', 'edit device', 'create hardware']);
  });
});
