import { describe, expect, it } from 'vitest';
import { buildDemoAddressesJson, createWelcomeText } from './welcome-text.ts';
import { findBrowserOpener } from './open-browser.ts';

const demo = {
  guestLink: { person: 'ann', url: 'http://127.0.0.1:8080/guest#link' },
  bridgeUrl: 'http://127.0.0.1:8080',
  consoleUrl: 'http://127.0.0.1:4200/console/secret',
  mqttUrl: 'mqtt://127.0.0.1:1883',
  organizationId: 'org_1',
  frontDoorId: 'gad_1',
  logins: {
    admin: { email: 'admin@example.test', password: 'some-words-47' },
    application: { client_id: 'demo-pms', client_secret: 'secret-of-the-application' },
  },
};

describe('createWelcomeText', () => {
  it('names every page and every login', () => {
    const text = createWelcomeText(demo, 'http://127.0.0.1:4200', '.lintel');
    for (const address of [
      'http://127.0.0.1:4200',
      'http://127.0.0.1:4200/console/secret',
      'http://127.0.0.1:8080/technician/',
      'http://127.0.0.1:8080/v2',
      'http://127.0.0.1:8080/docs',
      'http://127.0.0.1:8080/guest#link',
      'mqtt://127.0.0.1:1883',
    ]) {
      expect(text).toMatch(new RegExp(`${address}(?:\\s|$)`, 'm'));
    }
    expect(text).toMatch(/Administrator +admin@example\.test, password some-words-47$/m);
    expect(text).toMatch(/client id demo-pms, secret secret-of-the-application$/m);
    expect(text).toContain('/v2/gadgets/gad_1/actions/open');
  });

  it('has the same addresses for scripts', () => {
    expect(buildDemoAddressesJson(demo, 'http://127.0.0.1:4200')).toMatchObject({
      page: 'http://127.0.0.1:4200',
      http: 'http://127.0.0.1:8080',
      technician: 'http://127.0.0.1:8080/technician/',
      logins: demo.logins,
    });
  });
});

const linux = { platform: 'linux', isTerminal: true } as const;

describe('findBrowserOpener', () => {
  it('finds the opener of a desktop', () => {
    expect(findBrowserOpener({ ...linux, environment: { DISPLAY: ':0' } })).toBe('xdg-open');
    expect(findBrowserOpener({ ...linux, environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toBe('xdg-open');
    expect(findBrowserOpener({ ...linux, platform: 'darwin', environment: {} })).toBe('open');
  });

  it('opens nothing without a display, without a terminal and in CI', () => {
    expect(findBrowserOpener({ ...linux, environment: {} })).toBeNull();
    expect(findBrowserOpener({ ...linux, environment: { DISPLAY: '' } })).toBeNull();
    expect(findBrowserOpener({ ...linux, isTerminal: false, environment: { DISPLAY: ':0' } })).toBeNull();
    expect(findBrowserOpener({ ...linux, environment: { DISPLAY: ':0', CI: 'true' } })).toBeNull();
    expect(findBrowserOpener({ ...linux, platform: 'darwin', environment: { CI: '1' } })).toBeNull();
  });
});
