import { setDeviceConnection } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor, door } from '../../support/bridge/site-fixtures.ts';

describeOnBothDatabases('gadget triggers', bridge => {
  const arrange = async () => {
    const client = await bridge().newOrganization();
    const { siteId, gadgetId: source } = await createTestDoor(bridge(), client);
    const light = { name: 'Light', actions: [{ id: 'on', name: 'On' }] };
    const { gadgetId: target } = await createTestDevice(bridge(), client, { site_id: siteId, gadgets: [light] });
    const form = {
      source_type: 'state',
      source_gadget_id: source,
      source_state_id: 'unlocked',
      target_gadget_id: target,
      target_action_id: 'on',
    };
    const wrongField = async (given: object): Promise<unknown> => {
      const { status, body } = await client.call('POST', '/gadget_triggers', given);
      expect(status).toBe(400);
      return (body['args'] as { field?: string }).field;
    };
    return { client, siteId, source, target, form, wrongField };
  };

  it('are created, listed, edited and deleted', async () => {
    const { client, siteId, source, target, form } = await arrange();
    const created = await client.callOk('POST', '/gadget_triggers?expand=target_gadget', form);
    expect(created).toMatchObject({ target_gadget: { id: target } });
    const id = created.id;
    expect(id).toMatch(/^gt_/);
    expect(await client.callOk('GET', `/gadget_triggers/${id}`)).toEqual({
      id,
      organization_id: client.organizationId,
      site_id: siteId,
      ...form,
      source_signal_id: null,
      source_schedule_id: null,
      source_schedule_event: null,
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: {},
    });
    const listed = await client.get(`/gadget_triggers?source_gadget_id=${source}&site_id=${siteId}`);
    expect(listed.body.data.map(found => found.id)).toEqual([id]);
    for (const [change, field] of [
      [{ source_type: 'signal' }, 'source_signal_id'],
      [{ source_state_id: 'ajar' }, 'source_state_id'],
      [{ target_action_id: 'off' }, 'target_action_id'],
    ] as const) {
      const refused = await client.call('PATCH', `/gadget_triggers/${id}`, change);
      expect(refused).toMatchObject({ status: 400, body: { args: { field } } });
    }
    const signal = { source_type: 'signal', source_signal_id: 'forced' };
    expect(await client.callOk('PATCH', `/gadget_triggers/${id}`, signal)).toMatchObject({
      ...signal,
      source_gadget_id: source,
      source_state_id: null,
    });
    expect(await client.callOk('PATCH', `/gadget_triggers/${id}`, { metadata: { why: 'night' } })).toMatchObject({
      metadata: { why: 'night' },
      ...signal,
    });
    expect(await client.callOk('DELETE', `/gadget_triggers/${id}`)).toMatchObject({ is_deleted: true });
    await client.callOk('DELETE', `/gadget_triggers/${id}`);
    expect((await client.call('PATCH', `/gadget_triggers/${id}`, { metadata: {} })).status).toBe(404);
    const events = (await client.get(`/events?object.gadget_trigger_id=${id}&sort=recorded_at:asc`)).body.data;
    expect(events.map(({ verb }) => verb)).toEqual(['create', 'edit', 'edit', 'delete']);
    expect(events[0]).toMatchObject({ object: { type: 'gadget_trigger', gadget_trigger_id: id, site_id: siteId } });
  });

  it('can have a schedule as source, without a gadget', async () => {
    const { client, form } = await arrange();
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 3600 }] }));
    const schedule = await client.callOk('POST', '/schedules', { name: 'Night', weekdays });
    const { target_gadget_id, target_action_id } = form;
    const timed = { source_type: 'schedule', source_schedule_id: schedule.id, source_schedule_event: 'enter' };
    const created = await client.callOk('POST', '/gadget_triggers', { ...timed, target_gadget_id, target_action_id });
    expect(created).toMatchObject({ ...timed, source_gadget_id: null, target_gadget_id });
    const other = await client.callOk('POST', '/gadget_triggers', form);
    const moved = await client.callOk('PATCH', `/gadget_triggers/${other.id}`, timed);
    expect(moved).toMatchObject({ ...timed, source_gadget_id: null, source_state_id: null, target_gadget_id });
    await client.callOk('DELETE', `/schedules/${schedule.id}?force=true`);
    const again = await client.call('POST', '/gadget_triggers', { ...timed, target_gadget_id, target_action_id });
    expect(again).toMatchObject({ status: 400, body: { args: { field: 'source_schedule_id' } } });
    for (const { id } of [created, other])
      expect(await client.callOk('GET', `/gadget_triggers/${id}`)).toMatchObject({ is_deleted: true });
  });

  it('are rejected with the invalid field', async () => {
    const { client, source, form, wrongField } = await arrange();
    expect(await wrongField({ ...form, target_action_id: 'off' })).toBe('target_action_id');
    expect(await wrongField({ ...form, source_state_id: 'ajar' })).toBe('source_state_id');
    expect(await wrongField({ ...form, source_signal_id: 'forced' })).toBe('source_signal_id');
    expect(await wrongField({ ...form, source_gadget_id: undefined })).toBe('source_gadget_id');
    expect(await wrongField({ ...form, target_gadget_id: 'gad_unknown' })).toBe('target_gadget_id');
    expect(await wrongField({ ...form, source_type: 'moon' })).toBe('source_type');
    expect(await wrongField({ ...form, site_id: 'site_x' })).toBe('site_id');
    const elsewhere = await createTestDoor(bridge(), await bridge().newOrganization());
    expect(await wrongField({ ...form, source_gadget_id: elsewhere.gadgetId })).toBe('source_gadget_id');
    await callAsOwner(bridge(), client, 'DELETE', `/gadgets/${source}`);
    expect(await wrongField(form)).toBe('source_gadget_id');
  });

  it('are limited to one site and a local path', async () => {
    const { client, siteId, form, wrongField } = await arrange();
    const far = await createTestDoor(bridge(), client);
    expect(await wrongField({ ...form, source_gadget_id: far.gadgetId })).toBe('target_gadget_id');
    const hardware = () => ({ site_id: siteId, hardware_id: bridge().services.newId('hardware') });
    const one = await createTestDevice(bridge(), client, { ...hardware(), gadgets: [door, door] });
    const two = await createTestDevice(bridge(), client, hardware());
    const real = { ...form, source_gadget_id: one.gadgetId, target_action_id: 'open' };
    const within = await client.callOk('POST', '/gadget_triggers', { ...real, target_gadget_id: one.gadgetIds[1] });
    const between = { ...real, target_gadget_id: two.gadgetId };
    const refusal = async (): Promise<unknown> => {
      const { status, body } = await client.call('POST', '/gadget_triggers', between);
      expect({ status, args: body['args'] }).toMatchObject({ status: 400, args: { field: 'target_gadget_id' } });
      return body['message'];
    };
    const virtual = await client.call('POST', '/gadget_triggers', { ...form, source_gadget_id: one.gadgetId });
    expect(virtual.body['message']).toContain('virtual');
    expect(await refusal()).toContain('the site has no gateway');
    const gateways: string[] = [];
    for (let count = 0; count < 2; count++) {
      const { deviceId } = await createTestDevice(bridge(), client, {
        ...hardware(),
        product_id: 'gateway',
        gadgets: [],
      });
      gateways.push(deviceId);
    }
    const setLink = (deviceId: string, gateway_id: string | null, online: boolean) =>
      setDeviceConnection(bridge().services, deviceId, { gatewayId: gateway_id, isOnline: online });
    await setLink(one.deviceId, gateways[0]!, true);
    await setLink(two.deviceId, null, true);
    expect(await refusal()).toContain(`device ${two.deviceId} is connected to the bridge directly`);
    const moved = await client.call('PATCH', `/gadget_triggers/${within.id}`, { target_gadget_id: two.gadgetId });
    expect(moved).toMatchObject({ status: 400, body: { args: { field: 'target_gadget_id' } } });
    await setLink(two.deviceId, gateways[1]!, true);
    expect(await refusal()).toContain('same gateway');
    for (const [gatewayId, online] of [
      [gateways[0]!, true],
      [null, false],
    ] as const) {
      await setLink(two.deviceId, gatewayId, online);
      await client.callOk('POST', '/gadget_triggers', between);
    }
  });

  it('return 404 to another organization', async () => {
    const { client, form } = await arrange();
    const { id } = await client.callOk('POST', '/gadget_triggers', form);
    const other = await bridge().newOrganization();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { metadata: {} } : undefined;
      expect((await other.call(method, `/gadget_triggers/${id}`, body)).status).toBe(404);
    }
  });
});
