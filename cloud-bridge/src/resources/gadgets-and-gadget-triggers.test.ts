import {
  createGadgetTriggerRequestSchema,
  editGadgetTriggerRequestSchema,
} from '@lintel/wire-protocol/rest/gadget-trigger';
import { createScheduleRequestSchema } from '@lintel/wire-protocol/rest/schedule';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  parseTestBody,
  doorGadgetRequest,
  captureApiError,
  useTestOrganization,
} from '../test-organization.test-support.ts';
import { editDevice } from './devices.ts';
import { createGadgetTrigger, deleteGadgetTrigger, editGadgetTrigger } from './gadget-triggers.ts';
import { createGadget, deleteGadget, editGadget } from './gadgets.ts';
import { createSchedule, deleteSchedule } from './schedules.ts';

const test = useTestOrganization();
let site: string;
beforeEach(async () => {
  site = (await test.organization.site()).id;
});

const edit = (id: string, given: object) => test.organization.write(context => editGadget(context, id, given as never));
const remove = (id: string) => test.organization.write(context => deleteGadget(context, id));
const newDoor = async (options: Parameters<typeof test.organization.device>[1] = {}, siteId = site) =>
  (await test.organization.device(siteId, options)).gadgets[0]!;
const open = [{ id: 'open', name: 'Open' }];

describe('createGadget', () => {
  it('adds a gadget below the limit of the device', async () => {
    const { device } = await test.organization.device(site, { doors: ['A', 'B'] });
    const add = () => test.organization.write(context => createGadget(context, device.id, doorGadgetRequest));
    expect(await add()).toMatchObject({ device_id: device.id, site_id: site });
    expect(await captureApiError(add())).toBe('invalid_request: device_id');
  });

  it('does not count deleted gadgets', async () => {
    const { device, gadgets } = await test.organization.device(site, { doors: ['A', 'B', 'C'] });
    await remove(gadgets[1]!.id);
    const added = await test.organization.write(context => createGadget(context, device.id, doorGadgetRequest));
    expect(added.is_deleted).toBe(0);
  });

  it('rejects two actions with one id', async () => {
    const { device } = await test.organization.device(site, { doors: [] });
    const twice = { name: 'Door', actions: [...open, ...open] };
    const add = test.organization.write(context => createGadget(context, device.id, twice));
    expect(await captureApiError(add)).toBe('invalid_request: actions.1.id');
  });
});

describe('editGadget', () => {
  it('sets a possible state and rejects an unknown one', async () => {
    const { id } = await newDoor();
    expect((await edit(id, { state_id: 'closed' })).state_id).toBe('closed');
    expect(await captureApiError(edit(id, { state_id: 'burning' }))).toBe('invalid_request: state_id');
    expect((await edit(id, { state_id: null })).state_id).toBeNull();
  });

  it('resets the current state when that state is removed', async () => {
    const { id } = await newDoor();
    await edit(id, { state_id: 'closed' });
    expect((await edit(id, { states: [{ id: 'opened', name: 'Opened' }] })).state_id).toBeNull();
  });

  it('keeps the current state when the states change but include it', async () => {
    const { id } = await newDoor();
    await edit(id, { state_id: 'closed' });
    const states = [
      { id: 'closed', name: 'Shut' },
      { id: 'ajar', name: 'Ajar' },
    ];
    expect((await edit(id, { states })).state_id).toBe('closed');
  });

  it('checks a given state against the given states', async () => {
    const { id } = await newDoor();
    const states = [{ id: 'ajar', name: 'Ajar' }];
    expect((await edit(id, { states, state_id: 'ajar' })).state_id).toBe('ajar');
    expect(await captureApiError(edit(id, { states, state_id: 'closed' }))).toBe('invalid_request: state_id');
  });

  it('rejects the removal of an action that an input rule of any device uses', async () => {
    const door = await newDoor();
    const { device } = await test.organization.device(site, { doors: [] });
    const input_rules = [{ code: '', gadget_id: door.id, action_id: 'close' }];
    await test.organization.write(context => editDevice(context, device.id, { input_rules }));
    expect(await captureApiError(edit(door.id, { actions: open }))).toBe('invalid_request: actions');
    expect((await edit(door.id, { actions: [{ id: 'close', name: 'Close' }] })).actions).not.toContain('open');
    await test.organization.write(context => editDevice(context, device.id, { input_rules: [] }));
    expect((await edit(door.id, { actions: open })).actions).not.toContain('close');
  });
});

describe('deleteGadget', () => {
  it('rejects the only gadget of a single-gadget device', async () => {
    const door = await newDoor({ product: 'single' });
    expect(await captureApiError(remove(door.id))).toBe('invalid_request: device_id');
  });

  it('deletes once', async () => {
    const door = await newDoor();
    expect(await test.organization.eventsOf(() => remove(door.id))).toEqual(['delete gadget']);
    expect(await test.organization.eventsOf(() => remove(door.id))).toEqual([]);
  });
});

describe('gadget triggers', () => {
  const create = (given: object) =>
    test.organization.write(context =>
      createGadgetTrigger(context, parseTestBody(createGadgetTriggerRequestSchema, given)),
    );
  const change = (id: string, given: object) =>
    test.organization.write(context =>
      editGadgetTrigger(context, id, parseTestBody(editGadgetTriggerRequestSchema, given)),
    );
  const onState = async () => ({
    source_type: 'state',
    source_gadget_id: (await newDoor()).id,
    source_state_id: 'opened',
    target_gadget_id: (await newDoor()).id,
    target_action_id: 'close',
  });
  const newSchedule = async () => {
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }));
    return (
      await test.organization.write(context =>
        createSchedule(context, parseTestBody(createScheduleRequestSchema, { weekdays })),
      )
    ).id;
  };

  it('get the site of their target', async () => {
    expect(await create(await onState())).toMatchObject({ site_id: site, source_signal_id: null });
  });

  it.each([
    ['source_state_id', { source_state_id: 'burning' }],
    ['target_action_id', { target_action_id: 'explode' }],
    ['source_signal_id', { source_signal_id: 'bell' }],
    ['target_gadget_id', { target_gadget_id: 'gad_unknown' }],
    ['source_gadget_id', { source_gadget_id: null }],
  ])('reject an invalid %s', async (field, given) => {
    expect(await captureApiError(create({ ...(await onState()), ...given }))).toBe(`invalid_request: ${field}`);
  });

  it('reject a source at another site', async () => {
    const elsewhere = await newDoor({}, (await test.organization.site()).id);
    expect(await captureApiError(create({ ...(await onState()), source_gadget_id: elsewhere.id }))).toBe(
      'invalid_request: target_gadget_id',
    );
  });

  it('reject a deleted gadget or schedule', async () => {
    const given = await onState();
    await remove(given.source_gadget_id);
    expect(await captureApiError(create(given))).toBe('invalid_request: source_gadget_id');
    const schedule = await newSchedule();
    await test.organization.write(context => deleteSchedule(context, schedule));
    const { target_gadget_id, target_action_id } = given;
    const onSchedule = { source_type: 'schedule', source_schedule_id: schedule, source_schedule_event: 'enter' };
    expect(await captureApiError(create({ ...onSchedule, target_gadget_id, target_action_id }))).toBe(
      'invalid_request: source_schedule_id',
    );
  });

  it('keep the source gadget and drop the state when they change to a signal', async () => {
    const given = await onState();
    const { id } = await create(given);
    expect(await captureApiError(change(id, { source_type: 'signal' }))).toBe('invalid_request: source_signal_id');
    expect(await change(id, { source_type: 'signal', source_signal_id: 'bell' })).toMatchObject({
      source_gadget_id: given.source_gadget_id,
      source_state_id: null,
      source_signal_id: 'bell',
      target_action_id: 'close',
    });
  });

  it('drop the source gadget when they change to a schedule', async () => {
    const { id } = await create(await onState());
    const source_schedule_id = await newSchedule();
    const schedule = { source_type: 'schedule', source_schedule_id, source_schedule_event: 'exit' };
    expect(await change(id, schedule)).toMatchObject({ ...schedule, source_gadget_id: null, source_state_id: null });
  });

  it('are checked again as a whole when one field changes', async () => {
    const given = await onState();
    const { id } = await create(given);
    expect(await captureApiError(change(id, { source_state_id: 'burning' }))).toBe('invalid_request: source_state_id');
    expect(await change(id, { source_state_id: 'closed' })).toMatchObject({ ...given, source_state_id: 'closed' });
  });

  it('are deleted once, also with their gadget', async () => {
    const given = await onState();
    const { id } = await create(given);
    expect(await captureApiError(remove(given.source_gadget_id))).toBe('invalid_request: gadget_id');
    const removeTrigger = () => test.organization.write(context => deleteGadgetTrigger(context, id));
    expect(await test.organization.eventsOf(removeTrigger)).toEqual(['delete gadget_trigger']);
    expect(await test.organization.eventsOf(removeTrigger)).toEqual([]);
  });
});
