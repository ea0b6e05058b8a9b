import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findNodeRed, installNodeRedCommand } from '../bench/readers-fixture/node-red-installation.ts';
import { runSeed } from '../support/test-iterations-and-seed.ts';

const home = join(import.meta.dirname, '../..');

/** Scripts read these keys from the JSON of a benchmark. */
const documentedKeys: Readonly<
  Record<string, { readonly ratios: readonly string[]; readonly figures: readonly string[] }>
> = {
  decide: {
    ratios: ['casbin', 'cedar', 'casl', 'p99_1m_vs_10k'],
    figures: ['per_second_10k', 'per_second_100k', 'per_second_1m', 'bytes_per_member', 'mismatches'],
  },
  localtime: { ratios: ['intl'], figures: ['ns', 'mismatches'] },
  api: {
    ratios: [
      'sqlite_get_member',
      'sqlite_list_members',
      'postgres_get_member',
      'postgres_list_members',
      'last_page',
      'sqlite_create',
      'postgres_create',
    ],
    figures: ['sqlite_create_per_second', 'postgres_create_per_second', 'queries_per_expand'],
  },
  events: { ratios: ['last_page', 'drop_time'], figures: ['bytes_per_event', 'first_page_ms', 'last_page_ms'] },
  webhooks: { ratios: ['ceiling'], figures: ['p99_ms', 'deliveries_per_second'] },
  tap: {
    ratios: ['durable', 'start_million_time'],
    figures: ['decide_p99_us', 'p99_ms', 'rss_mb_1m', 'rss_mb_2m_credentials', 'ready_million_s'],
  },
  revoke: { ratios: ['fanout'], figures: ['p99_ms', 'controllers'] },
  sync: { ratios: ['wire'], figures: ['snapshot_100k_s', 'delta_1000_controllers_s'] },
  gateway: {
    ratios: ['mosquitto', 'mosquitto_one_each', 'forward'],
    figures: ['per_second', 'p99_ms', 'single_events_per_second', 'bare_inserts_per_second'],
  },
  readers: {
    ratios: ['echo', 'flushed_echo', ...(findNodeRed() === null ? [] : ['node_red_p99_time', 'node_red_p50_time'])],
    figures: ['added_p50_ms', 'added_p99_ms'],
  },
  cluster: {
    ratios: ['bridges_2', 'bridges_3'],
    figures: ['per_second_1', 'bridge_cpu_ms_per_request', 'postgres_cpu_ms_per_request'],
  },
  console: {
    ratios: ['search_100k', 'interactive_100k', 'audit_log_10m', 'activity_10m'],
    figures: [
      'first_load_kb',
      'sqlite_search_ms',
      'postgres_search_ms',
      'interactive_ms',
      'sqlite_slowest_activity_p95_ms',
      'postgres_slowest_activity_p95_ms',
    ],
  },
  load: {
    ratios: ['request_p99_time', 'tap_p99_time', 'streams_request_p99_time'],
    figures: [
      'request_p99_ms',
      'tap_p99_ms',
      'served_per_second',
      'shed_per_second',
      'recovery_s',
      'streams_request_p99_ms',
      'alarm_mail_s',
    ],
  },
  fleet: { ratios: ['connect_time', 'reconnect_time'], figures: ['kb_per_controller', 'taps_per_second', 'connect_s'] },
};

/** A run covers an eighth of the benchmarks, because starting all their programs takes minutes. The seed selects it. */
const PARTS = 8;
const selected = Object.entries(documentedKeys).filter((_, index) => (index + runSeed()) % PARTS === 0);

describe('npm run bench', { tags: ['slow'] }, () => {
  it.each(selected)('runs %s and prints its documented keys', async (name, keys) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(home, 'test/bench/run.ts'), name, '--json', '--scale', '0.002'],
      { cwd: home },
    );
    const document = JSON.parse(stdout) as Record<'ratios' | 'figures', Record<string, number>>;
    expect(document).toMatchObject({ name, machine: expect.anything() });
    for (const part of ['ratios', 'figures'] as const) {
      expect(Object.keys(document[part])).toEqual(expect.arrayContaining([...keys[part]]));
      expect(Object.entries(document[part]).filter(([, value]) => !Number.isFinite(value))).toEqual([]);
    }
  });

  it('lists every benchmark in the docs', () => {
    const page = readFileSync(join(home, 'docs/developer/benchmarks.md'), 'utf8');
    expect(Object.keys(documentedKeys).filter(name => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('prints the same command to install Node-RED as the docs', () => {
    expect(readFileSync(join(home, 'docs/developer/benchmarks.md'), 'utf8')).toContain(installNodeRedCommand);
  });
});
