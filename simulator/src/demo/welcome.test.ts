import { expect, it } from 'vitest';
import { addressesOf, welcome } from './welcome.ts';

const demo = {
  bridgeUrl: 'http://127.0.0.1:8080',
  mqttUrl: 'mqtt://127.0.0.1:1883',
  organizationId: 'org_1',
  ids: { 'front-door': 'gad_1' },
} as unknown as Parameters<typeof welcome>[0];

it('names every page and every way in', () => {
  const told = welcome(demo, 'http://127.0.0.1:4200', '.lintel');
  for (const address of [
    'http://127.0.0.1:4200',
    'http://127.0.0.1:8080/technician/',
    'http://127.0.0.1:8080/v2',
    'http://127.0.0.1:8080/docs',
    'mqtt://127.0.0.1:1883',
  ]) {
    expect(told).toMatch(new RegExp(`${address}(?:\\s|$)`, 'm'));
  }
  expect(told).toMatch(/Administrator +\S+@\S+, password \S+/);
  expect(told).toContain('/v2/gadgets/gad_1/actions/open');
});

it('tells a script the same addresses', () => {
  expect(addressesOf(demo, 'http://127.0.0.1:4200')).toMatchObject({
    page: 'http://127.0.0.1:4200',
    http: 'http://127.0.0.1:8080',
    technician: 'http://127.0.0.1:8080/technician/',
  });
});
