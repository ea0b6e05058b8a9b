import { describe, expect, it } from 'vitest';
import { findInvalidSiteField, toSiteRequestBody, toSiteFormValues } from './site-form-values.ts';

const form = { name: ' Hotel ', timezone: 'Europe/Madrid', coordinates: '41.4036, 2.1744', radius: '150' };
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
    [{ coordinates: '', radius: '' }, null],
  ])('finds the error of %j', (changes, error) => {
    expect(findInvalidSiteField({ ...form, ...changes })).toBe(error);
  });
});
