import { describe, expect, it } from 'vitest';
import { cpioArchive } from './cpio-archive.ts';

describe('cpio archive', () => {
  it('has the format of the kernel: hex headers, names and contents aligned to four bytes, and a trailer', () => {
    const archive = cpioArchive(
      [
        { path: 'bin', mode: 0o040755, content: new Uint8Array() },
        { path: 'init', mode: 0o100755, content: Buffer.from('hello') },
        { path: 'dev/console', mode: 0o020600, content: new Uint8Array(), device: [5, 1] },
      ],
      0x5f5e100,
    );
    const text = archive.toString('latin1');
    const field = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
    const head = (...fields: readonly number[]) => `070701${fields.map(one => field(one)).join('')}`;
    expect(text.startsWith(`${head(1, 0o040755, 0, 0, 1, 0x5f5e100, 0, 0, 0, 0, 0, 4, 0)}bin\0\0\0`)).toBe(true);
    expect(text).toContain(`${head(2, 0o100755, 0, 0, 1, 0x5f5e100, 5, 0, 0, 0, 0, 5, 0)}init\0\0hello\0\0\0`);
    expect(text).toContain(`${head(3, 0o020600, 0, 0, 1, 0x5f5e100, 0, 0, 0, 5, 1, 12, 0)}dev/console\0`);
    expect(text.endsWith('TRAILER!!!\0\0\0\0')).toBe(true);
    expect(archive.length % 4).toBe(0);
  });
});
