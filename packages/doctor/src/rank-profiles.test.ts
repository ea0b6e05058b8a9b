import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { describe, expect, it } from 'vitest';
import { createFindingFactory } from './doctor-finding.ts';
import { rankProfiles } from './rank-profiles.ts';

const { ok, bad } = createFindingFactory('profile');
const shipped = loadProfiles();
const named = (...ids: readonly string[]) => shipped.filter(({ product_id }) => ids.includes(product_id));

describe('profilesThatFit', () => {
  it('lists complete matches first, then partial ones, and simulated products last', () => {
    const fits = rankProfiles(named('rpi-osdp', 'usb-only', 'rpi-modbus-8', 'laptop-simulator'), ({ product_id }) => {
      if (product_id === 'rpi-modbus-8') return [ok('board'), ok('reader')];
      if (product_id === 'usb-only') return [ok('relay'), bad('no reader'), ok('keypad')];
      return product_id === 'rpi-osdp' ? [bad('no adapter')] : [ok('simulated')];
    });
    expect(fits.map(({ profile, fits: isFit, found, wanted }) => [profile.product_id, isFit, found, wanted])).toEqual([
      ['rpi-modbus-8', true, 2, 2],
      ['usb-only', false, 2, 3],
      ['rpi-osdp', false, 0, 1],
      ['laptop-simulator', true, 1, 1],
    ]);
    expect(fits[1]!.missing.map(({ text }) => text)).toEqual(['no reader']);
  });

  it('lists products with relays in the network after those whose parts can be detected', () => {
    const ranked = rankProfiles(named('rpi-modbus-tcp', 'usb-only'), ({ product_id }) =>
      product_id === 'usb-only' ? [bad('no relay')] : [ok('keypad')],
    );
    expect(ranked.map(({ profile }) => profile.product_id)).toEqual(['usb-only', 'rpi-modbus-tcp']);
  });

  it('omits products of which no part is connected', () => {
    expect(rankProfiles(named('gateway'), () => [])).toEqual([]);
  });
});
