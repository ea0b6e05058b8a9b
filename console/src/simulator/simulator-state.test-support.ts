import type { SimulatedControllerState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';

export const createTestDoor = (changes: Partial<SimulatedDoorState> = {}): SimulatedDoorState => ({
  key: 'front-door',
  name: 'Front door',
  site: 'main',
  controller: 'front',
  station: 'main',
  gadget_id: 'gadget_1',
  code: '',
  is_unlocked: false,
  leaf: 'closed',
  is_held: false,
  state_id: 'locked',
  alarm: null,
  ...changes,
});

export const createTestController = (changes: Partial<SimulatedControllerState> = {}): SimulatedControllerState => ({
  key: 'front',
  name: 'Front door',
  device_id: 'device_1',
  upstream: 'bridge',
  power: 'on',
  is_connected: true,
  is_online: true,
  waiting_events: 0,
  revision: 1,
  clock: { time: '2026-06-01T10:00:00.000Z', trusted: true, source: 'bridge', stepped_ms: 0 },
  supply: { mains: true, battery: true, charging: true },
  is_disk_full: false,
  is_housing_open: false,
  faults: [],
  stations: [
    {
      id: 'main',
      green: false,
      red: false,
      buzzer: false,
      entry: { phase: 'idle', door: null },
      locked_until: null,
    },
  ],
  technician: null,
  ...changes,
});

export const createTestActivityEntry = (changes: Partial<SimulatorActivityEntry> = {}): SimulatorActivityEntry => ({
  id: 'event_1',
  at: '2026-06-01T10:00:00.000Z',
  kind: 'use',
  decided_by: 'door',
  controller: 'front',
  door: 'front-door',
  who: 'Ann Berg',
  method: 'pin',
  reason: null,
  words: 'Front door opened for Ann Berg with a PIN',
  is_time_trusted: true,
  passes_gateway: true,
  way: { door: '2026-06-01T10:00:00.000Z', gateway: null, bridge: null, webhook: null },
  deliveries: 0,
  ...changes,
});

export const createTestSimulatorState = (changes: Partial<SimulatorState> = {}): SimulatorState => ({
  hotel: 'Hotel Lintel',
  sites: [{ key: 'main', name: 'Main', timezone: 'Europe/Madrid' }],
  addresses: [],
  logins: [],
  people: [],
  guest_link: null,
  controllers: [createTestController()],
  gateway: {
    name: 'Gateway',
    device_id: 'device_2',
    page: null,
    is_connected: true,
    controllers: [],
  },
  doors: [createTestDoor()],
  virtual_devices: [],
  lines: [
    { key: 'front-bridge', from: 'Front door', to: 'Bridge', switch: 'internet', mode: 'up', connections: 1 },
    { key: 'gateway-bridge', from: 'Gateway', to: 'Bridge', switch: 'internet', mode: 'up', connections: 1 },
  ],
  activity: [],
  scenarios: [],
  runs: [],
  ...changes,
});
