import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { completeFromService, readInstalledService } from './installed-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-installed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'controller.conf');
const withOptions = (line: string) => {
  writeFileSync(file, `# LINTEL_OPTIONS=--data /commented\nLINTEL_LISTEN=x\n${line}\n`);
  return readInstalledService('controller', file);
};

describe('readInstalledService', () => {
  it('knows the data folder of the package, and reads the options of the service', () => {
    expect(withOptions('LINTEL_OPTIONS=')).toMatchObject({ data: '/var/lib/lintel', profile: undefined });
    expect(withOptions('LINTEL_OPTIONS="--upstream x --profile usb-only --data=/srv/door"')).toEqual({
      program: 'controller',
      file,
      data: '/srv/door',
      profile: 'usb-only',
    });
    expect(withOptions('LINTEL_OPTIONS=--data /a --data /b')).toMatchObject({ data: '/b' });
  });

  it('finds none where no package is installed', () => {
    expect(readInstalledService('gateway', join(folder, 'none'))).toBeNull();
  });
});

describe('completeFromService', () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  const service = { program: 'controller', file, data, profile: undefined } as const;

  it('uses the folder and the profile that was chosen there, and says so', () => {
    expect(completeFromService({}, service)).toEqual({
      data,
      profile: undefined,
      notice: `Data folder ${data} (from ${file})\n`,
    });
    writeFileSync(join(data, 'profile.json'), '{}');
    const profile = join(data, 'profile.json');
    expect(completeFromService({}, service)).toMatchObject({
      profile,
      notice: `Data folder ${data}, profile ${profile} (from ${file})\n`,
    });
    expect(completeFromService({ data }, service).notice).toBe(`Profile ${profile} (from ${file})\n`);
    expect(completeFromService({}, { ...service, profile: 'usb-only' }).profile).toBe('usb-only');
    expect(completeFromService({ data, profile: 'virtual' }, service)).toEqual({
      data,
      profile: 'virtual',
      notice: '',
    });
  });

  it('uses nothing of it for another folder, or where nothing is installed', () => {
    const given = { data: '/elsewhere', profile: undefined };
    expect(completeFromService(given, service)).toEqual({ ...given, notice: '' });
    expect(completeFromService({}, null)).toEqual({ data: undefined, profile: undefined, notice: '' });
  });
});
