import { describe, expect, it } from 'vitest';
import { chooseLanOptions, type MachineNetwork, parseDefaultInterface } from './lan-options.ts';

const wired = { name: 'eth0', address: '192.168.1.20' };
const wireless = { name: 'wlan0', address: '192.168.7.5' };
const container = { name: 'docker0', address: '172.17.0.1' };
const machine = (addresses: MachineNetwork['addresses'], defaultInterface: string | null = null) => ({
  addresses,
  defaultInterface,
});

describe('chooseLanOptions', () => {
  it('serves on the address of this machine in the network', () => {
    expect(chooseLanOptions({}, machine([container, wired]))).toEqual({
      host: '192.168.1.20',
      'http-port': '8080',
      'mqtt-port': '1883',
      'https-port': '8443',
      'mqtts-port': '8883',
      'public-url': 'https://192.168.1.20:8443',
    });
  });

  it('prefers options that are given', () => {
    const given = { host: 'fd00::2', 'https-port': '443', 'mqtts-port': '0' };
    expect(chooseLanOptions(given, machine([]))).toMatchObject({ ...given, 'public-url': 'https://[fd00::2]:443' });
  });

  it('uses the interface of the default route, and otherwise asks which of several addresses', () => {
    expect(chooseLanOptions({}, machine([wired, wireless], 'wlan0')).host).toBe('192.168.7.5');
    expect(() => chooseLanOptions({}, machine([wired, wireless]))).toThrow(
      '192.168.1.20 (eth0), 192.168.7.5 (wlan0). Choose one with --host ADDR',
    );
  });

  it('does not choose a public address or one inside this machine', () => {
    const outside = { name: 'eth0', address: '203.0.113.7' };
    expect(() => chooseLanOptions({}, machine([outside, container]))).toThrow('Choose one with --host ADDR');
    expect(() => chooseLanOptions({}, machine([]))).toThrow('it has none');
  });

  it('rejects addresses and ports that a claim ticket cannot contain', () => {
    expect(() => chooseLanOptions({ host: '0.0.0.0' }, machine([wired]))).toThrow('choose one with --host');
    expect(() => chooseLanOptions({ 'https-port': '0' }, machine([wired]))).toThrow('fixed --https-port');
  });
});

describe('parseDefaultInterface', () => {
  it('is the interface of the default route with the lowest metric', () => {
    const table = [
      'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask',
      'wlan0\t00000000\t0107A8C0\t0003\t0\t0\t600\t00000000',
      'eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000',
      'eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF',
    ].join('\n');
    expect(parseDefaultInterface(table)).toBe('eth0');
    expect(parseDefaultInterface('Iface\n')).toBeNull();
  });
});
