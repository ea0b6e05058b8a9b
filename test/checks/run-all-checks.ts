import { spawnSync } from 'node:child_process';

/** Runs all checks, even after a failure. */
const checks = ['types', 'lint', 'format', 'lock', 'advisories', 'unused', 'architecture', 'words'];

const results = checks.map(check => {
  const started = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', `check:${check}`], { stdio: 'inherit' });
  return { check, passed: status === 0, seconds: (performance.now() - started) / 1000 };
});

for (const { check, passed, seconds } of results) {
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${check} (${seconds.toFixed(1)} s)\n`);
}
const failed = results.filter(result => !result.passed).length;
process.stdout.write(`checks: ${results.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
