import { describe, expect, it } from 'vitest';
import { openProgressLine } from './progress.ts';

const open = ({ isTTY, isQuiet = false }: { readonly isTTY: boolean; readonly isQuiet?: boolean }) => {
  let written = '';
  let time = 0;
  const write = (text: string) => (written += text);
  const line = openProgressLine({ stderr: { isTTY, columns: 60, write }, isQuiet, now: () => time });
  return {
    line,
    wait: (ms: number) => {
      time += ms;
    },
    lines: () => written.split('\r\u001B[K').slice(1),
    written: () => written,
  };
};

describe('openProgressLine', () => {
  it('rewrites one line with the share, the amount and the rate', () => {
    const { line, wait, lines } = open({ isTTY: true });
    line.report('Writing', 0, 20e6, 'bytes');
    wait(50);
    line.report('Writing', 1e6, 20e6, 'bytes');
    wait(1950);
    line.report('Writing', 10e6, 20e6, 'bytes');
    line.report('Verifying');
    line[Symbol.dispose]();
    expect(lines()).toEqual([
      'Writing 0 %, 0.0 MB of 20.0 MB',
      'Writing 50 %, 10.0 MB of 20.0 MB, 5.0 MB/s',
      'Verifying',
      '',
    ]);
  });

  it('counts what has no known total', () => {
    const { line, wait, lines } = open({ isTTY: true });
    line.report('Importing rows', 0);
    wait(1000);
    line.report('Importing rows', 12_400);
    expect(lines()).toEqual(['Importing rows', 'Importing rows 12,400, 12,400/s']);
    line[Symbol.dispose]();
  });

  it.each([{ isTTY: false }, { isTTY: true, isQuiet: true }])('writes nothing with %j', given => {
    const { line, written } = open(given);
    line.report('Writing', 1, 2);
    line[Symbol.dispose]();
    expect(written()).toBe('');
  });

  it('leaves no listener behind', () => {
    const before = process.listenerCount('SIGINT');
    const { line } = open({ isTTY: true });
    line.report('Writing');
    line[Symbol.dispose]();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
