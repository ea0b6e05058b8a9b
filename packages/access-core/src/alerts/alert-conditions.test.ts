import { describe, expect, it } from 'vitest';
import { describeAlert } from './describe-alert.ts';
import { englishAlertTexts } from './texts/english.ts';
import {
  type AlertRule,
  computeAlertChanges,
  evaluateAlertRule,
  type ObservedDoorsAndDevices,
} from './alert-conditions.ts';

const now = 10_000_000;
const minutes = (count: number): number => count * 60_000;
const rule = (given: Partial<AlertRule>): AlertRule => ({
  kind: 'door_forced',
  minutes: 10,
  count: 3,
  siteId: null,
  ...given,
});
const door = { id: 'gad_1', siteId: 'site_1', name: 'Front door', state: null, denials: [] };
const device = {
  id: 'dev_1',
  siteId: 'site_1',
  name: 'Lobby',
  isOnline: true,
  seenAt: now,
  faults: [],
  batteryPercent: null,
};
const texts = (given: Partial<AlertRule>, state: Partial<ObservedDoorsAndDevices>): string[] =>
  evaluateAlertRule(rule(given), { doors: [], devices: [], ...state }, now).map(({ details }) =>
    describeAlert(englishAlertTexts, given.kind ?? 'door_forced', details),
  );

describe('evaluateAlertRule', () => {
  it('finds controllers that were claimed today, or that wait for a confirmation', () => {
    const day = 24 * 60 * 60_000;
    const claimed = (at: number, waits: boolean) =>
      texts({ kind: 'device_claimed' }, { devices: [{ ...device, claim: { at, site: 'Main', user: 'Ann', waits } }] });
    expect(claimed(now - 1, false)).toHaveLength(1);
    expect(claimed(now - day, false)).toEqual([]);
    expect(claimed(now - day, true)).toHaveLength(1);
    expect(texts({ kind: 'device_claimed' }, { devices: [device] })).toEqual([]);
  });

  it('finds members who were given access to all doors of a site within a day', () => {
    const day = 24 * 60 * 60_000;
    const given = (at: number) =>
      texts(
        { kind: 'all_doors_access' },
        { members: [{ id: 'mem_1', name: 'Pepe', at, siteId: door.siteId, site: 'Main' }] },
      );
    expect(given(now - 1)).toEqual(['Pepe now has access to all doors of Main']);
    expect(given(now - day)).toEqual([]);
  });

  it('finds doors that are forced or held open, each by its own rule', () => {
    const doors = [
      { ...door, state: 'forced' },
      { ...door, id: 'gad_2', name: 'Garage', state: 'held_open' },
    ];
    expect(texts({ kind: 'door_forced' }, { doors })).toEqual(['Front door was forced open']);
    expect(texts({ kind: 'door_held_open' }, { doors })).toEqual(['Garage is held open']);
  });

  it('finds a controller that is offline for the whole period, and none that was never connected', () => {
    const offline = (seenAt: number | null) => ({ devices: [{ ...device, isOnline: false, seenAt }] });
    expect(texts({ kind: 'device_offline' }, offline(now - minutes(10)))).toEqual(['Lobby is offline']);
    expect(texts({ kind: 'device_offline' }, offline(now - minutes(10) + 1))).toEqual([]);
    expect(texts({ kind: 'device_offline' }, offline(null))).toEqual([]);
    expect(texts({ kind: 'device_offline' }, { devices: [{ ...device, seenAt: 0 }] })).toEqual([]);
  });

  it('counts the denials of a door within the period', () => {
    const denied = (...ages: number[]) => ({ doors: [{ ...door, denials: ages.map(age => now - age) }] });
    expect(texts({ kind: 'many_denials' }, denied(1, 2, 3))).toEqual(['Front door denied access 3 times in 10 min']);
    expect(texts({ kind: 'many_denials' }, denied(1, 2, minutes(10)))).toEqual([]);
  });

  it('finds each fault and a low battery', () => {
    const fault = { code: 'disk_full', message: 'The disk is full', since: 5 };
    const found = evaluateAlertRule(
      rule({ kind: 'device_fault' }),
      { doors: [], devices: [{ ...device, faults: [fault] }] },
      now,
    );
    expect(found).toMatchObject([{ subjectId: 'dev_1/disk_full', since: 5, details: { fault: 'disk_full' } }]);
    const battery = (batteryPercent: number) => ({ devices: [{ ...device, batteryPercent }] });
    expect(texts({ kind: 'low_battery' }, battery(19.4))).toEqual(['The battery of Lobby is low (19 %)']);
    expect(texts({ kind: 'low_battery' }, battery(20))).toEqual([]);
  });

  it('ignores other sites', () => {
    const doors = [{ ...door, state: 'forced' }];
    expect(texts({ siteId: 'site_2' }, { doors })).toEqual([]);
    expect(texts({ siteId: 'site_1' }, { doors })).toHaveLength(1);
  });
});

describe('computeAlertChanges', () => {
  it('raises a condition once and resolves it when it ends', () => {
    const state = { doors: [{ ...door, state: 'forced' }], devices: [] };
    const holding = evaluateAlertRule(rule({}), state, now);
    expect(computeAlertChanges([], holding)).toEqual({ raised: holding, resolved: [] });
    expect(computeAlertChanges(['gad_1'], holding)).toEqual({ raised: [], resolved: [] });
    expect(computeAlertChanges(['gad_1'], [])).toEqual({ raised: [], resolved: ['gad_1'] });
  });
});
