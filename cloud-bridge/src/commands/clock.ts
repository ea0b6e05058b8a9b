import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { confirmClock } from '../storage/deletion-clock.ts';
import { type OperatorCall, defineOperatorCommand } from './define-operator-command.ts';

const usage = `lintel clock show|confirm --data DIR [--database URL] [--json]

Shows and confirms the time of the bridge. While the clock is more than an hour ahead of the time that the bridge
expects, because it is wrong or because the bridge was stopped, members and history that end only by this clock are
not deleted. Works while the bridge is running or stopped.

  show      print the clock of this machine and the time that the bridge expects
  confirm   the clock of this machine is right: delete what ends by it, in all organizations
`;

const show = ({ services: { clock, deletionClock }, print }: OperatorCall): void => {
  const times = { time: toDateTime(clock()), expected_time: toDateTime(deletionClock.now(null)) };
  const ahead = times.time === times.expected_time ? '' : `\nExpected: ${times.expected_time}. Deletions wait`;
  print(times, `Clock: ${times.time}${ahead}`);
};

const confirm = async ({ services: { clock, storage }, print }: OperatorCall): Promise<void> => {
  const now = clock();
  await confirmClock(storage.writer, null, now);
  const time = toDateTime(instant(now));
  print({ time }, `Confirmed: ${time}. A running bridge continues within some seconds`);
};

export const command = defineOperatorCommand(usage, {
  show: { options: [], run: async call => show(call) },
  confirm: { options: [], run: confirm },
});
