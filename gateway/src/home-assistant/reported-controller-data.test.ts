import { instant } from '@lintel/access-core/instant';
import type { DeviceStatusMessage } from '@lintel/wire-protocol/mqtt/messages/status';
import { describe, expect, it } from 'vitest';
import { ReportedControllerData, findReportedFeatures, toStatusPayload } from './reported-controller-data.ts';
import { buildControllerDiscovery } from './discovery.ts';
import { HomeAssistantTopics } from './topics.ts';

const status: DeviceStatusMessage = {
  v: 1,
  at: instant(0),
  mains_present: false,
  battery_present: true,
  battery_charging: false,
  battery_percent: 87,
  waiting_events: 0,
  faults: [{ code: 'tamper', since: instant(0), message: 'The housing is open' }],
};

describe('toStatusPayload', () => {
  it('reports battery, mains and tamper, and entities for them', () => {
    const payload = toStatusPayload(status);
    expect(payload).toEqual({ problem: 'ON', faults: ['tamper'], tamper: 'ON', mains: 'OFF', battery: 87 });
    const features = new Set(findReportedFeatures(payload));
    const controller = { id: 'dev_1', name: 'Front', product: null, firmware: null, features, gadgets: [] };
    const gateway = { id: 'dev_2', name: 'Gateway', version: '1' };
    const topics = new HomeAssistantTopics('dev_2', 'homeassistant');
    expect(buildControllerDiscovery(controller, gateway, topics).components).toMatchObject({
      dev_1_battery: { device_class: 'battery', unit_of_measurement: '%' },
      dev_1_mains: { device_class: 'power' },
      dev_1_tamper: { device_class: 'tamper' },
    });
  });

  it('has no entities for what the hardware does not report', () => {
    const unknown = { ...status, mains_present: null, battery_percent: null, faults: [] };
    expect(findReportedFeatures(toStatusPayload(unknown))).toEqual([]);
  });
});

describe('ReportedControllerData', () => {
  it('keeps the newer state of a gadget when an older one arrives later', () => {
    const facts = new ReportedControllerData();
    facts.setState('gad_1', 'open', 2000);
    facts.setState('gad_1', 'locked', 1000);
    expect(facts.stateOf('gad_1')).toBe('open');
  });
});
