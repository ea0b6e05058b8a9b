import { readReleaseKeys } from '@lintel/device-link/releases/release-keys';
import { installRelease } from '@lintel/device-link/updates/install-release';
import { planLaunch } from '@lintel/device-link/updates/launch-plan';
import { confirmed } from '@lintel/device-link/updates/slot-machine';
import { SlotFiles } from '@lintel/device-link/updates/slot-files';

/* One piece of an update, from its beginning to its end; it is killed somewhere in between. */

const [work, program, folder, archive] = process.argv.slice(2) as [string, string, string, string];
const files = new SlotFiles(`${folder}/releases`);

if (work === 'install') {
  const machine = { program, arch: 'amd64', version: '1.0.0', floor: '1.0.0' };
  const installed = await installRelease(archive, { files, keys: readReleaseKeys(folder), machine });
  files.wish({ id: 'wish', ...installed, rollout_id: null, before: null });
}
if (work === 'switch')
  planLaunch({ releases: files.folder, package: `${folder}/package`, trialSeconds: 300 }, () => undefined);
if (work === 'confirm') {
  files.write(confirmed(files.read()));
  files.endTrial();
  files.prune();
}
