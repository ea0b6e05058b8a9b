import { instant } from '@lintel/access-core/instant';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import { describe, expect, it } from 'vitest';
import {
  HomeAssistantReportedControllerData,
  findReportedHomeAssistantFeatures,
  toHomeAssistantStatusPayload,
} from './reported-controller-data.ts';
import { buildHomeAssistantControllerDiscovery } from './mqtt-discovery-documents.ts';
import { HomeAssistantTopics } from './topics.ts';

const status: DeviceStatusMqttMessage = {
  v: 1,
  at: instant(0),
  mains_present: false,
  battery_present: true,
  battery_charging: false,
  battery_percent: 87,
  waiting_events: 0,
  faults: [{ code: 'tamper', since: instant(0), message: 'The housing is open' }],
};

describe('toHomeAssistantStatusPayload', () => {
  it('reports battery, mains and tamper, and entities for them', () => {
    const payload = toHomeAssistantStatusPayload(status);
    expect(payload).toEqual({ problem: 'ON', faults: ['tamper'], tamper: 'ON', mains: 'OFF', battery: 87 });
    const features = new Set(findReportedHomeAssistantFeatures(payload));
    const controller = { id: 'dev_1', name: 'Front', product: null, firmware: null, features, gadgets: [] };
    const gateway = { id: 'dev_2', name: 'Gateway', version: '1' };
    const topics = new HomeAssistantTopics('dev_2', 'homeassistant');
    expect(buildHomeAssistantControllerDiscovery(controller, gateway, topics).components).toMatchObject({
      dev_1_battery: { device_class: 'battery', unit_of_measurement: '%' },
      dev_1_mains: { device_class: 'power' },
      dev_1_tamper: { device_class: 'tamper' },
    });
  });

  it('has no entities for what the hardware does not report', () => {
    const unknown = { ...status, mains_present: null, battery_percent: null, faults: [] };
    expect(findReportedHomeAssistantFeatures(toHomeAssistantStatusPayload(unknown))).toEqual([]);
  });
});

describe('HomeAssistantReportedControllerData', () => {
  it('keeps the newer state of a gadget when an older one arrives later', () => {
    const facts = new HomeAssistantReportedControllerData();
    facts.setState('gad_1', 'open', 2000);
    facts.setState('gad_1', 'locked', 1000);
    expect(facts.stateOf('gad_1')).toBe('open');
  });
});
