import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createSetupCodeNoticeWriter } from './setup-code-console-notice.ts';

const heard = (work: () => void): string => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    work();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
};

describe('console notice', () => {
  it('keeps the setup code out of the service log and in a file for the console', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-console-'));
    const file = join(folder, 'console.issue');
    expect(heard(() => createSetupCodeNoticeWriter({ LINTEL_CONSOLE_FILE: file })('setup code ABCD'))).toBe('');
    expect(readFileSync(file, 'utf8')).toBe('setup code ABCD\n\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });

  it('shows no code when the file cannot be written', () => {
    const said = heard(() =>
      createSetupCodeNoticeWriter({ LINTEL_CONSOLE_FILE: '/no/such/folder/x' })('setup code ABCD'),
    );
    expect(said).toMatch(/cannot be shown on the console/);
    expect(said).not.toContain('ABCD');
  });

  it('is a line on stderr when started from a terminal', () => {
    expect(heard(() => createSetupCodeNoticeWriter({})('setup code ABCD'))).toBe('setup code ABCD\n');
  });
});
