import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PowerStatus } from '@lintel/access-core/power-status';
import { loadProfile, loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';
import { describe, expect, it } from 'vitest';
import { readPowerStatus } from './open-hardware.ts';

type BatteryReading = Pick<PowerStatus, 'battery_present' | 'battery_charging' | 'battery_percent'>;

const unknown: BatteryReading = { battery_present: null, battery_charging: null, battery_percent: null };

const laptop = loadProfiles().find(({ product_id }) => product_id === 'laptop-simulator')!;

const profileWith = (power: object): Profile => {
  const capabilities = { ...laptop.capabilities, battery: true, battery_rechargeable: true };
  const checked = checkProfile({ ...laptop, capabilities, power, gadgets: [] });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.profile;
};

describe('power of a hardware profile', () => {
  it('follows its input lines, and is unknown when a line is cut', () => {
    const profile = profileWith({ mains: 'exit_button', battery: 'door_contact' });
    const levels: Record<string, 'active' | 'inactive' | 'unknown'> = {
      exit_button: 'active',
      door_contact: 'unknown',
    };
    const status = () => readPowerStatus(profile, { level: name => levels[name]! }, () => unknown);
    expect(status()).toEqual({ ...unknown, mains_present: true });
    levels['exit_button'] = 'inactive';
    expect(status()).toMatchObject({ mains_present: false, battery_present: true, battery_charging: false });
  });

  it.each([
    ['power.gauge', { gauge: { driver: 'max17040' } }],
    ['power.battery', { battery: 'exit_button' }],
    ['power.charging', { charging: 'exit_button' }],
  ])('rejects %s without the capability', (path, power) => {
    const capabilities = { ...laptop.capabilities, battery: false, battery_rechargeable: false };
    const checked = checkProfile({ ...laptop, capabilities, power, gadgets: [] });
    expect(checked.ok ? [] : checked.problems.map(problem => problem.path)).toEqual([path]);
  });

  const demoFolder = join(import.meta.dirname, '../../../simulator/profiles');
  const demoProfiles = readdirSync(demoFolder).map(file => loadProfile(join(demoFolder, file)));
  const readings: BatteryReading[] = [unknown];
  for (const battery_present of [true, false])
    for (const battery_charging of [true, false])
      readings.push({ battery_present, battery_charging, battery_percent: battery_present ? 50 : null });

  it.each([...loadProfiles(), ...demoProfiles].map(profile => [profile.product_id, profile] as const))(
    'never contradicts the capabilities of %s',
    (_, profile) => {
      const { mains, battery, battery_rechargeable } = profile.capabilities;
      const fields = [profile.power.mains, profile.power.battery, profile.power.charging];
      for (const reading of readings)
        for (let bits = 0; bits < 27; bits++) {
          const levels = fields.map(
            (_, index) => (['active', 'inactive', 'unknown'] as const)[Math.floor(bits / 3 ** index) % 3]!,
          );
          const level = (name: string) => levels[fields.indexOf(name)]!;
          const status = readPowerStatus(profile, { level }, () => reading);
          if (!mains) expect(status.mains_present).toBe(false);
          if (!battery) expect(status).toMatchObject({ mains_present: true, battery_present: false });
          if (!battery_rechargeable) expect(status.battery_charging).toBe(false);
          if (status.battery_present === false)
            expect(status).toMatchObject({ battery_charging: false, battery_percent: null });
          if (status.mains_present === false) expect(status.battery_charging).toBe(false);
        }
    },
  );
});
