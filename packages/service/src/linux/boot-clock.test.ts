import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openBootClock } from './boot-clock.ts';

const entry = fileURLToPath(new URL('boot-clock.ts', import.meta.url));
const script = `import { openBootClock } from ${JSON.stringify(entry)};
const clock = openBootClock();
console.log(JSON.stringify({ id: clock.id, now: clock.now() }));`;

/** What another process reads. */
const readInAnotherProcess = (): { id: string; now: number } =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));

describe('openBootClock', () => {
  it('is one clock for all processes since the start of the machine', () => {
    const clock = openBootClock()!;
    const before = clock.now();
    const other = readInAnotherProcess();
    expect(other.id).toBe(clock.id);
    expect(other.id).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(other.now).toBeGreaterThan(before);
    expect(other.now).toBeLessThan(clock.now());
  });
});
