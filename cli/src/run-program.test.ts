import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from './run-program.ts';

const program = {
  name: 'test',
  headline: 'a program',
  version: () => '1.0.0',
  parts: [
    {
      title: 'Commands',
      entries: [0, 1].map(code => ({
        name: `exit-${code}`,
        summary: `returns ${code}`,
        load: async () => ({ command: { usage: '', run: async () => code } }),
      })),
    },
  ],
};

describe('runProgram', () => {
  const before = process.exitCode;
  const exit = vi.fn<() => never>();
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(process, 'exit').mockImplementation(exit);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    exit.mockReset();
    process.exitCode = before;
  });

  it('ends a process whose command failed, also when something is still open', async () => {
    await runProgram(program, ['exit-1']);
    expect(process.exitCode).toBe(1);
    vi.runAllTimers();
    expect(exit).toHaveBeenCalledOnce();
  });

  it('lets a process end by itself after a command that succeeded', async () => {
    await runProgram(program, ['exit-0']);
    expect(process.exitCode).toBe(0);
    vi.runAllTimers();
    expect(exit).not.toHaveBeenCalled();
  });
});
