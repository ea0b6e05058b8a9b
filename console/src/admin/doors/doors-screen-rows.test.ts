import { describe, expect, it } from 'vitest';
import { listDoorsScreenRows, type DoorsScreenFilter } from './doors-screen-rows.ts';
import { adminMessages } from '../messages/en.ts';
import { describeDevicePower } from './describe-device-power.ts';

type Places = Parameters<typeof listDoorsScreenRows>[0];

const site = (id: string, name: string) => ({ id, name });
const device = (id: string, site_id: string, name: string, online = true) => ({
  id,
  site_id,
  name,
  status: { online },
});
const door = (id: string, device_id: string, site_id: string, name: string) => ({ id, device_id, site_id, name });
const places = {
  sites: [site('site_2', 'Villa'), site('site_1', 'Hotel'), site('site_3', 'Empty plot')],
  devices: [device('dev_1', 'site_1', 'First floor'), device('dev_2', 'site_2', 'Gate house')],
  doors: [
    door('gadget_1', 'dev_1', 'site_1', 'Room 9'),
    door('gadget_2', 'dev_1', 'site_1', 'Room 10'),
    door('gadget_3', 'dev_2', 'site_2', 'Gate'),
  ],
  attention: [
    { kind: 'door_forced', gadget_id: 'gadget_2', device_id: 'dev_1' },
    { kind: 'device_offline', gadget_id: null, device_id: 'dev_2' },
    { kind: 'webhook_failing', gadget_id: null, device_id: null },
  ],
} as unknown as Places;
const all: DoorsScreenFilter = { view: 'doors', siteId: null, search: '', isAttentionOnly: false };
const idsOf = (filter: Partial<DoorsScreenFilter>): readonly string[] =>
  listDoorsScreenRows(places, { ...all, ...filter }).map(({ id }) => id);

describe('listDoorsScreenRows', () => {
  it('lists doors below their sites, by name, with empty sites', () => {
    expect(idsOf({})).toEqual(['site_3', 'site_1', 'gadget_1', 'gadget_2', 'site_2', 'gadget_3']);
  });

  it('filters by site and name', () => {
    expect(idsOf({ siteId: 'site_2' })).toEqual(['site_2', 'gadget_3']);
    expect(idsOf({ search: 'room' })).toEqual(['site_1', 'gadget_1', 'gadget_2']);
  });

  it('keeps the doors that need attention, also those of a controller with an issue', () => {
    expect(idsOf({ isAttentionOnly: true })).toEqual(['site_1', 'gadget_2', 'site_2', 'gadget_3']);
  });

  it('keeps the doors of an offline controller', () => {
    const devices = [device('dev_1', 'site_1', 'First floor', false)];
    const rows = listDoorsScreenRows({ ...places, devices, attention: [] } as unknown as Places, {
      ...all,
      isAttentionOnly: true,
    });
    expect(rows.map(({ id }) => id)).toEqual(['site_1', 'gadget_1', 'gadget_2']);
  });

  it('lists controllers with the number of their doors', () => {
    const rows = listDoorsScreenRows(places, { ...all, view: 'devices', siteId: 'site_1' });
    expect(rows[1]).toMatchObject({ kind: 'device', id: 'dev_1', doorCount: 2, issues: [{ kind: 'door_forced' }] });
  });
});

describe('describeDevicePower', () => {
  it.each([
    [{}, null],
    [{ mains_present: true }, 'Mains power'],
    [{ mains_present: false, battery_present: true, battery_percent: 84.6 }, 'No mains power, battery at 85 %'],
    [{ battery_present: true, battery_percent: 40, battery_charging: true }, 'Battery at 40 %, charging'],
    [{ mains_present: true, battery_present: false }, 'Mains power, no battery'],
  ])('describes %j', (power, text) => {
    expect(describeDevicePower({ online: true, ...power }, adminMessages)).toBe(text);
  });
});
