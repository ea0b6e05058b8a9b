import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootPartition } from './boot-partition.ts';
import { dataPartition } from './data-partition.ts';
import { finishRoot, kernelVersionOf, slimRoot } from './finish-root.ts';
import { toolPath } from './host-tools.ts';
import { initramfs } from './initramfs.ts';
import { PIECES, type RootPlan } from './root-plan.ts';
import { runProgram } from './run-program.ts';

/* Called by mmdebstrap when the packages are unpacked: PLAN.json ROOT. */

/** The machine's own, which are mounted there while mmdebstrap works, and what mmdebstrap itself still needs. */
const NOT_OURS = ['proc/*', 'sys/*', 'dev/*', 'run/*', 'tmp/*', 'etc/apt', 'var/cache/apt', 'var/lib/apt'];

const squash = (root: string, out: string, plan: RootPlan): Promise<Buffer> => {
  const compression = ['-comp', 'zstd', '-Xcompression-level', '9', '-b', '256K'];
  const quiet = ['-noappend', '-no-progress', '-quiet'];
  const env = { PATH: toolPath(), SOURCE_DATE_EPOCH: String(plan.epoch) };
  return runProgram('mksquashfs', [root, out, ...compression, ...quiet, '-wildcards', '-e', PIECES, ...NOT_OURS], {
    env,
  });
};

const finish = async (root: string, plan: RootPlan): Promise<void> => {
  process.env['PATH'] = toolPath();
  const pieces = join(root, PIECES);
  mkdirSync(pieces, { recursive: true });
  const packages = await finishRoot(root, plan);
  const initrd = await initramfs(root, join(pieces, 'early'), plan);
  await bootPartition(root, join(pieces, 'boot'), join(pieces, 'boot.img'), initrd, plan);
  const kernel = kernelVersionOf(root);
  slimRoot(root);
  await squash(root, join(pieces, 'root.img'), plan);
  await dataPartition(join(pieces, 'data.img'), plan);
  writeFileSync(join(pieces, 'facts.json'), JSON.stringify({ packages, kernel }));
  for (const name of ['early', 'boot']) rmSync(join(pieces, name), { recursive: true });
};

const [planFile, root] = process.argv.slice(2);
if (planFile === undefined || root === undefined) throw new Error('PLAN.json and ROOT are needed');
await finish(root, JSON.parse(readFileSync(planFile, 'utf8')) as RootPlan);
