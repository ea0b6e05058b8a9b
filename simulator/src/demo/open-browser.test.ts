import { describe, expect, it } from 'vitest';
import { findBrowserOpener } from './open-browser.ts';

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
