import type { LineMode } from '@lintel/wire-protocol/simulator/switches';
import { describe, expect, it } from 'vitest';
import { aController, aWorld } from '../simulator-state.test-support.ts';
import { clockEffect, diskEffect, lineEffect, modeOfSwitch, powerEffect, supplyEffect } from './effect-words.ts';

const world = (...modes: readonly [LineMode, LineMode]) =>
  aWorld({ lines: aWorld().lines.map((line, place) => ({ ...line, mode: modes[place]! })) });

describe('effect of a fault switch', () => {
  it('shows the common mode of its connections, or that they differ', () => {
    expect(modeOfSwitch(world('cut', 'cut'), 'internet')).toBe('cut');
    expect(modeOfSwitch(world('cut', 'up'), 'internet')).toBeNull();
    expect(lineEffect(world('cut', 'up'), 'internet')).toBe('Its lines differ. Nothing waits.');
    expect(modeOfSwitch(aWorld(), 'gateway_link')).toBeNull();
  });

  it('counts the waiting events per place', () => {
    const cut = world('cut', 'cut');
    const waiting = {
      ...cut,
      controllers: [aController({ waiting_events: 2 }), aController({ key: 'corridor', waiting_events: 1 })],
      gateway: { ...cut.gateway, waiting_events: 4 },
    };
    expect(lineEffect(waiting, 'internet')).toBe(
      'Refused at both ends. Doors decide by themselves. 3 events wait at the doors, the gateway holds 4.',
    );
    const atGateway = { ...cut, gateway: { ...cut.gateway, waiting_events: 4 } };
    expect(lineEffect(atGateway, 'internet')).toMatch(/ The gateway holds 4\.$/);
    expect(lineEffect(world('up', 'up'), 'internet')).toBe('Up, with 2 connections. Nothing waits.');
    expect(lineEffect(world('half_open', 'half_open'), 'internet')).toContain('nothing comes through');
    expect(lineEffect(world('slow', 'slow'), 'internet')).toContain('late');
  });

  it('distinguishes power from supply', () => {
    expect(powerEffect(aController({ power: 'off' }))).toContain('dead');
    const supply = (mains: boolean, battery: boolean) =>
      supplyEffect(aController({ supply: { mains, battery, charging: false } }));
    expect([supply(true, true), supply(true, false), supply(false, true), supply(false, false)]).toEqual([
      'On mains, the battery charges.',
      'On mains, without a battery.',
      'On battery.',
      'Without current.',
    ]);
  });

  it('shows the time of a controller in the time zone of the site', () => {
    expect(clockEffect(aController(), 'Europe/Madrid')).toBe(
      'It believed Mon 12:00 when asked last; trusted, from bridge.',
    );
    expect(clockEffect(aController({ clock: null }), 'Europe/Madrid')).toBe('It tells no time now.');
  });

  it('shows a full disk as reported by the firmware', () => {
    const fault = { code: 'disk_full', message: 'events are kept in memory' };
    expect(diskEffect(aController({ is_disk_full: true, faults: [fault] }))).toBe('events are kept in memory');
    expect(diskEffect(aController({ is_disk_full: true, waiting_events: 1 }))).toBe(
      'No byte more fits. 1 event waits.',
    );
    expect(diskEffect(aController({ faults: [fault] }))).toBe('Events are written before the lock moves.');
  });
});
