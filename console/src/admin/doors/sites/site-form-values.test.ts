import { createSiteRequestSchema } from '@lintel/wire-protocol/rest/site';
import { describe, expect, it } from 'vitest';
import { findInvalidSiteField, toSiteRequestBody, toSiteFormValues } from './site-form-values.ts';

const form = { name: ' Hotel ', timezone: 'Europe/Madrid', coordinates: '41.4036, 2.1744', radius: '150' };
/** Both names of zones that were renamed, and zones without a place. */
const timeZoneNames = [
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Europe/Kyiv',
  'Europe/Kiev',
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Yangon',
  'Etc/UTC',
  'UTC',
  'GMT',
  'US/Eastern',
  'Europe/Madrid',
];
const geo = { location: { lat: 41.4036, lng: 2.1744 }, radius: 150 };

describe('site form', () => {
  it('reads coordinates as maps show them', () => {
    expect(toSiteRequestBody(form)).toEqual({ name: 'Hotel', timezone: 'Europe/Madrid', geo });
    expect(toSiteRequestBody({ ...form, coordinates: '-33.9;18.4' }).geo?.location).toEqual({ lat: -33.9, lng: 18.4 });
  });

  it('shows what is saved', () => {
    const saved = { name: 'Hotel', timezone: 'Europe/Madrid', geo };
    expect(toSiteRequestBody(toSiteFormValues(saved))).toEqual(saved);
    const plain = { name: 'Hotel', timezone: null, geo: null };
    expect(toSiteRequestBody(toSiteFormValues(plain))).toEqual(plain);
  });

  it.each([
    [{}, null],
    [{ name: ' ' }, 'name'],
    [{ timezone: 'Madrid' }, 'timezone'],
    [{ coordinates: 'Madrid' }, 'coordinates'],
    [{ coordinates: '91, 0' }, 'coordinates'],
    [{ coordinates: '41.4' }, 'coordinates'],
    [{ radius: '0' }, 'radius'],
    [{ radius: '1e400' }, 'radius'],
    [{ timezone: '+01:00' }, 'timezone'],
    [{ coordinates: '', radius: '' }, null],
  ])('finds the error of %j', (changes, error) => {
    expect(findInvalidSiteField({ ...form, ...changes }, null)).toBe(error);
  });

  it.each(timeZoneNames)('accepts the time zone %s, as the bridge does', timezone => {
    expect(createSiteRequestSchema.safeParse({ name: 'Hotel', timezone }).success).toBe(true);
    expect(findInvalidSiteField({ ...form, timezone }, null)).toBe(null);
  });

  it('keeps a time zone that the browser does not know', () => {
    const values = { ...form, timezone: 'America/Atlantis' };
    expect(findInvalidSiteField(values, { timezone: 'America/Atlantis' })).toBe(null);
    expect(findInvalidSiteField(values, { timezone: 'Europe/Madrid' })).toBe('timezone');
  });
});
