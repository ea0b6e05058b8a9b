import { describe, expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../storage/database-error.ts';
import { createRetryDuringOutage } from '../storage/outage-retry.ts';
import { announceFirstRun } from './announce-first-run.ts';
import type { FirstRunSetup } from './first-run-setup.ts';

const url = 'http://127.0.0.1:8080/setup#7K3M-0QXW-PT5H';

const announce = async (isPending: boolean, isTTY: boolean, failures = 0) => {
  const logged: string[] = [];
  let screen = '';
  let attempts = 0;
  const firstRun = {
    isPending: async () => {
      if (attempts++ < failures) throw new DatabaseUnavailableError('The database is not reachable');
      return isPending;
    },
    url,
  } as FirstRunSetup;
  const retry = createRetryDuringOutage(new AbortController().signal);
  const stderr = { isTTY, write: (text: string) => (screen += text) };
  await announceFirstRun(firstRun, retry, { info: message => logged.push(message) }, stderr);
  return { logged, screen };
};

describe('announceFirstRun', () => {
  it('logs the link and shows it in a box on a terminal', async () => {
    const { logged, screen } = await announce(true, true);
    expect(logged).toEqual([`No account exists. Open ${url} to create one`]);
    const lines = screen.trimEnd().split('\n');
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
    expect(screen).toContain(`  ${url}  `);
  });

  it('only logs the link without a terminal', async () => {
    const { logged, screen } = await announce(true, false);
    expect([logged.length, screen]).toEqual([1, '']);
  });

  it('logs the link after an outage of the database', async () => {
    const { logged } = await announce(true, false, 2);
    expect(logged).toHaveLength(1);
  });

  it('prints nothing once an account exists', async () => {
    expect(await announce(false, true)).toEqual({ logged: [], screen: '' });
  });
});
