import { describe, expect, it } from 'vitest';
import { useTestOrganization } from '../test-organization.test-support.ts';
import { lookUpReservedPins, releasePin, reservePin } from './pin-reservations.ts';

const test = useTestOrganization();
const reserve = (pinId: string, digits: string) =>
  test.organization.write(context => reservePin(context, pinId, digits));
const release = (pinId: string) => test.organization.write(context => releasePin(context, pinId));
const lookUp = (codes: readonly string[], organization = test.organization) =>
  organization.write(async context => {
    const { pins, prefixes } = await lookUpReservedPins(context, codes);
    return { pins: [...pins].toSorted(), prefixes: [...prefixes].toSorted() };
  });

describe('reservePin', () => {
  it('reserves digits once until they are released', async () => {
    const attempts = [await reserve('mp_1', '777777'), await reserve('mp_2', '777777')];
    await release('mp_2');
    attempts.push(await reserve('mp_2', '777777'));
    await release('mp_1');
    attempts.push(await reserve('mp_2', '777777'));
    expect(attempts).toEqual([true, false, false, true]);
  });
});

describe('lookUpReservedPins', () => {
  it('separates PINs from prefixes of PINs and reports each code once', async () => {
    await reserve('mp_1', '482913');
    await reserve('mp_2', '4829');
    expect(await lookUp(['482', '4829', '48291', '482913', '4829137'])).toEqual({
      pins: ['4829', '482913'],
      prefixes: ['48291'],
    });
  });

  it('finds nothing of released digits, of another organization, or without codes', async () => {
    await reserve('mp_1', '482913');
    const codes = ['482913', '4829', '48291'];
    const nothing = { pins: [], prefixes: [] };
    expect(await lookUp(codes, await test.database.addOrganization())).toEqual(nothing);
    expect(await lookUp([])).toEqual(nothing);
    await release('mp_1');
    expect(await lookUp(codes)).toEqual(nothing);
  });
});
