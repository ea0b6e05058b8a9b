import { toolPath } from './host-tools.ts';
import type { RootPlan } from './root-plan.ts';
import { runProgram } from './run-program.ts';

/** Empty: folders and what the controller begins with are made at its first start. Grows there to the end of the card. */
export const dataPartition = async (out: string, { dataBytes, signature, epoch }: RootPlan): Promise<void> => {
  const uuid = `6c696e74-656c-4000-8000-${signature.padStart(12, '0')}`;
  // Blocks of 4 KiB and a whole journal: what suits so small a file system would be too small when it has grown.
  const shape = ['-t', 'ext4', '-b', '4096', '-i', '16384', '-m', '1', '-J', 'size=16', '-L', 'lintel-data'];
  const fixed = ['-U', uuid, '-E', `hash_seed=${uuid},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0`];
  const env = { PATH: toolPath(), E2FSPROGS_FAKE_TIME: String(epoch), SOURCE_DATE_EPOCH: String(epoch) };
  await runProgram('mke2fs', ['-q', ...shape, ...fixed, out, `${dataBytes / 1024}k`], { env });
};
