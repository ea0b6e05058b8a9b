import { describe, expect, it } from 'vitest';
import { findSiteFormError, toSiteBody, toSiteForm } from './site-form.ts';

const form = { name: ' Hotel ', timezone: 'Europe/Madrid', coordinates: '41.4036, 2.1744', radius: '150' };
const geo = { location: { lat: 41.4036, lng: 2.1744 }, radius: 150 };

describe('site form', () => {
  it('reads coordinates as maps show them', () => {
    expect(toSiteBody(form)).toEqual({ name: 'Hotel', timezone: 'Europe/Madrid', geo });
    expect(toSiteBody({ ...form, coordinates: '-33.9;18.4' }).geo?.location).toEqual({ lat: -33.9, lng: 18.4 });
  });

  it('shows what is saved', () => {
    const saved = { name: 'Hotel', timezone: 'Europe/Madrid', geo };
    expect(toSiteBody(toSiteForm(saved))).toEqual(saved);
    const plain = { name: 'Hotel', timezone: null, geo: null };
    expect(toSiteBody(toSiteForm(plain))).toEqual(plain);
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
    expect(findSiteFormError({ ...form, ...changes })).toBe(error);
  });
});
