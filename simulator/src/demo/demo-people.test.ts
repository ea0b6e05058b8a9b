import { describe, expect, it } from 'vitest';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import { createDemoHotelSeed } from './demo-hotel-definition.ts';
import { createDemoLogins } from './demo-logins.ts';
import { computeStayDates, demoEmployees, demoStays } from './demo-people.ts';
import { createDemoPeople } from './demo-device-plans-and-people.ts';

const times = ['2026-03-29T00:30:00Z', '2026-06-15T12:00:00Z', '2026-12-31T23:59:59Z'].map(text => Date.parse(text));

describe('demo guests', () => {
  it.each(times)('at %i include arrivals of yesterday, of today and of next week', now => {
    const dates = demoStays.map(stay => computeStayDates(stay, now));
    const isHere = dates.map(({ starts_at, ends_at }) => Date.parse(starts_at) <= now && now < Date.parse(ends_at));
    expect(isHere).toEqual([true, true, false, false]);
    expect(Math.max(...dates.map(({ ends_at }) => Date.parse(ends_at)))).toBeGreaterThan(now + 6 * 86_400_000);
  });

  it('are a valid seed for the bridge', () => {
    expect(parseSeedFile(createDemoHotelSeed(times[0]!, createDemoLogins()))).toMatchObject({ ok: true });
  });

  it('have distinct cards, and PINs of which none is a prefix of another', () => {
    const people = [...demoStays, ...demoEmployees];
    const pins = people.flatMap(({ pin }) => (pin === undefined ? [] : [pin]));
    const cards = people.flatMap(({ card }) => (card === undefined ? [] : [card]));
    expect(new Set(cards).size).toBe(cards.length);
    expect(pins.filter(pin => pins.some(other => other !== pin && other.startsWith(pin)))).toEqual([]);
    expect(new Set(pins).size).toBe(pins.length);
  });

  it('are shown with the doors that they may open', () => {
    const [ann] = createDemoPeople(times[1]!);
    expect(ann).toEqual({
      key: 'ann',
      name: 'Ann Berg',
      about: 'Room 101, 14 June to 17 June',
      pin: '2580',
      card: '04a1b2c3d4e5f6',
      has_phone: false,
      doors: ['front-door', 'garage', 'door-101'],
    });
  });
});
