import type { SimulatedLinkMode } from '@lintel/wire-protocol/simulator/network-links';
import { describe, expect, it } from 'vitest';
import { createTestController, createTestSimulatorState } from '../simulator-state.test-support.ts';
import {
  describeClockEffect,
  describeDiskEffect,
  describeLinkEffect,
  findCommonLinkMode,
  describePowerEffect,
  describeSupplyEffect,
} from './describe-fault-effect.ts';

const world = (...modes: readonly [SimulatedLinkMode, SimulatedLinkMode]) =>
  createTestSimulatorState({
    lines: createTestSimulatorState().lines.map((line, place) => ({ ...line, mode: modes[place]! })),
  });

describe('effect of a fault switch', () => {
  it('shows the common mode of its connections, or that they differ', () => {
    expect(findCommonLinkMode(world('cut', 'cut'), 'internet')).toBe('cut');
    expect(findCommonLinkMode(world('cut', 'up'), 'internet')).toBeNull();
    expect(describeLinkEffect(world('cut', 'up'), 'internet')).toBe(
      'The connections have different settings. Nothing queued.',
    );
    expect(findCommonLinkMode(createTestSimulatorState(), 'gateway_link')).toBeNull();
  });

  it('counts the queued events of the controllers that need the connections', () => {
    const cut = world('cut', 'cut');
    const waiting = {
      ...cut,
      controllers: [
        createTestController({ waiting_events: 2 }),
        createTestController({ key: 'corridor', upstream: 'gateway', waiting_events: 1 }),
      ],
    };
    expect(describeLinkEffect(waiting, 'internet')).toBe(
      'Connections refused. Doors decide locally. Events queued: 3 at the controllers.',
    );
    expect(describeLinkEffect(waiting, 'gateway_link')).toMatch(/Events queued: 1 at the controllers\.$/);
    expect(describeLinkEffect(world('up', 'up'), 'internet')).toBe('Working, 2 connections. Nothing queued.');
    expect(describeLinkEffect(world('half_open', 'half_open'), 'internet')).toContain('no data arrives');
    expect(describeLinkEffect(world('slow', 'slow'), 'internet')).toContain('delayed');
  });

  it('distinguishes a power cut from the power sources', () => {
    expect(describePowerEffect(createTestController({ power: 'off' }))).toContain('stopped');
    const supply = (mains: boolean, battery: boolean) =>
      describeSupplyEffect(createTestController({ supply: { mains, battery, charging: false } }));
    expect([supply(true, true), supply(true, false), supply(false, true), supply(false, false)]).toEqual([
      'On mains, battery charging.',
      'On mains, no battery.',
      'On battery.',
      'No power.',
    ]);
  });

  it('shows the time of a controller in the time zone of the site', () => {
    expect(describeClockEffect(createTestController(), 'Europe/Madrid')).toBe(
      'Last reported time: Mon 12:00, trusted (bridge).',
    );
    expect(describeClockEffect(createTestController({ clock: null }), 'Europe/Madrid')).toBe('No time reported.');
  });

  it('shows a full disk as reported by the firmware', () => {
    const fault = { code: 'disk_full', message: 'events are kept in memory' };
    expect(describeDiskEffect(createTestController({ is_disk_full: true, faults: [fault] }))).toBe(
      'events are kept in memory',
    );
    expect(describeDiskEffect(createTestController({ is_disk_full: true, waiting_events: 1 }))).toBe(
      'The disk is full. 1 event queued.',
    );
    expect(describeDiskEffect(createTestController({ faults: [fault] }))).toBe(
      'Events are saved before the lock moves.',
    );
  });
});
