import { describe, expect, it } from 'vitest';
import { type FirstBootFiles, detectExistingSdCardSettings } from './existing-settings.ts';
import { tmpdir } from 'node:os';
import { requireFreeSpaceOnCard } from './boot-folder.ts';
import { isCountryCode } from './country-code.ts';

const none: FirstBootFiles = {
  userData: null,
  firstRun: null,
  customToml: null,
  hasUserConf: false,
  hasSshFile: false,
};

const found = (files: Partial<FirstBootFiles>): string =>
  Object.entries(detectExistingSdCardSettings({ ...none, ...files }))
    .filter(([, isOwn]) => isOwn)
    .map(([name]) => name)
    .join();

describe('detectExistingSdCardSettings', () => {
  it('finds none on a stock card, whatever its comments', () => {
    expect(found({})).toBe('');
    expect(found({ userData: '#cloud-config\n#hostname: x\n# users:\n#- name: pi\nssh_pwauth: false\n' })).toBe('');
    expect(found({ userData: '#cloud-config\nruncmd:\n- [hostname, x]\n' })).toBe('');
  });

  it('finds settings in each of their possible places', () => {
    expect(found({ userData: 'hostname: lobby\n' })).toBe('hostname');
    expect(found({ userData: 'users:\n- name: anna\n  ssh_authorized_keys:\n  - ssh-ed25519 AAAA\n' })).toBe(
      'user,ssh',
    );
    expect(found({ userData: 'enable_ssh: true\n' })).toBe('ssh');
    expect(found({ firstRun: "imager_custom set_hostname lobby\nuserconf 'anna' 'x'\n" })).toBe('hostname,user');
    expect(found({ customToml: '[system]\nhostname = "lobby"\n[user]\nname = "anna"\n[ssh]\nenabled = true\n' })).toBe(
      'hostname,user,ssh',
    );
    expect(found({ customToml: '[user]\npassword = "x"\n[ssh]\nenabled = false\n[wlan]\nname = "x"\n' })).toBe('');
    expect(found({ hasUserConf: true })).toBe('user');
    expect(found({ hasSshFile: true })).toBe('ssh');
  });
});

it('reports how much space is missing on the card', () => {
  expect(() => requireFreeSpaceOnCard(tmpdir(), 2 ** 60)).toThrow(/MB free, but \d+ MB are required/);
});

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

describe('country code', () => {
  it('is one of ISO 3166-1', () => {
    expect(['ES', 'DE', 'US', 'GB', 'JP'].filter(code => !isCountryCode(code))).toEqual([]);
    expect(['XX', 'ZZ', 'UK', 'EU', 'SU', 'DD', 'es', 'E', 'ESP', '00', ''].filter(isCountryCode)).toEqual([]);
    expect(letters.flatMap(a => letters.map(b => `${a}${b}`)).filter(isCountryCode)).toHaveLength(249);
  });
});
