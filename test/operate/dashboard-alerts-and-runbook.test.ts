import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { requireProgram } from '../support/require-program.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { faultKinds } from '@lintel/access-core/alerts/fault-kinds';

const METRICS_TOKEN = 'token-of-the-monitoring';
const promtool = { command: 'promtool', install: 'apt-get install prometheus' };

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const ruleFiles = globSync('deploy/grafana/alerts/*.yaml', { cwd: root }).toSorted();
const rules = ruleFiles.flatMap(file =>
  (parseYaml(read(file)) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(group => group.rules),
);
const { panels } = JSON.parse(read('deploy/grafana/dashboards/lintel.json')) as { panels: Panel[] };
const panelExpressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Metrics that Prometheus itself adds. */
const addedByPrometheus = new Set(['up']);

const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:lintel|process|nodejs)_[a-z_]+\b|\bup\b/g)].map(([name]) => name);

describe('monitoring', () => {
  let bridge: TestBridge;
  let folder: string;
  let text: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-monitoring-'));
    const backups = { folder, intervalMs: 1e9, keep: 1, createBackup: async () => undefined };
    bridge = await TestBridge.open({ metricsToken: METRICS_TOKEN, backups });
    const client = await bridge.newOrganization();
    await client.get('/members');
    const authorization = `Bearer ${METRICS_TOKEN}`;
    text = (await bridge.app.inject({ url: '/metrics', headers: { authorization } })).payload;
  });
  afterAll(async () => {
    await bridge.close();
    rmSync(folder, { recursive: true });
  });

  const servedNames = (): Set<string> => {
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
    );
    return new Set([...names, ...addedByPrometheus]);
  };

  it('uses only metrics that the bridge serves, in the dashboard and in the alerts', () => {
    const used = [...panelExpressions, ...rules.map(({ expr }) => expr)].flatMap(metricsIn);
    expect(used.length).toBeGreaterThan(40);
    expect(used.filter(name => !servedNames().has(name))).toEqual([]);
  });

  it('links each alert to its section of the runbook, which has no other sections', () => {
    const sections = [...read('docs/operator/runbook.md').matchAll(/^### (\S+)$/gm)].map(([, name]) => name!);
    expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    for (const { alert, annotations } of rules) {
      expect(annotations['runbook']).toBe(`docs/operator/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it('knows the kinds of faults in docs/reference/faults.md', () => {
    const rows = [...read('docs/reference/faults.md').matchAll(/^\| (`[^|]+) \|/gm)];
    const documented = rows.flatMap(([, cell]) => [...cell!.matchAll(/`([a-z_]+)/g)].map(([, kind]) => kind!));
    const inBridge = ['credential'];
    expect(
      documented.filter(kind => !inBridge.includes(kind) && !(faultKinds as readonly string[]).includes(kind)),
    ).toEqual([]);
  });

  it('passes the checks of promtool', context => {
    requireProgram(context, promtool);
    const check = (args: readonly string[], input = '') => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8', cwd: root });
      return { status, output: status === 0 && !args.includes('rules') ? `${stdout}${stderr}` : stderr };
    };
    expect(check(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
    expect(check(['check', 'rules', ...ruleFiles])).toMatchObject({ status: 0 });
  });
});
