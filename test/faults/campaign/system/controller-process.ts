import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { instant } from '@lintel/access-core/instant';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';

/*
 * A controller with the real firmware and simulated parts. Commands arrive on stdin, one JSON object per line. Output is
 * synchronous, so that it arrives even if the process is killed next.
 */

export type ControllerCommand =
  | { readonly tap: string; readonly id: number }
  | { readonly clockOffset_ms: number }
  | { readonly status: number };

const [dataDir, url] = process.argv.slice(2);
const print = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);
let offset_ms = 0;

const device = createSimulatedController({
  dataDir: dataDir!,
  log: (level, message, facts) => {
    if (level !== 'info') writeSync(2, `${level} ${message} ${JSON.stringify(facts ?? {})}\n`);
  },
  system: { now: () => instant(Date.now() + offset_ms), isSynchronized: () => false },
  network: { product_id: 'virtual', firmware: 'test', url },
  onEventRecorded: ({ id, kind, sequence, occurred_at, time_trusted }) =>
    print({ event: { id, kind, sequence, occurredAt: occurred_at, isTimeTrusted: time_trusted } }),
});

let isUnlocking = false;
device.outputs.onChange(({ output, on }) => {
  isUnlocking ||= on && output === 'strike-0';
});

const execute = (command: ControllerCommand): void => {
  if ('clockOffset_ms' in command) offset_ms = command.clockOffset_ms;
  else if ('tap' in command) {
    isUnlocking = false;
    device.reader.tap(command.tap);
    print({ answer: command.id, isGranted: isUnlocking });
  } else {
    print({
      answer: command.status,
      isOnline: device.upstream()?.online ?? false,
      waiting: device.controller.waitingEventCount(),
      isUnlocked: device.outputs.isOn('strike-0'),
      faults: device.controller.faults().map(({ code }) => code),
    });
  }
};

createInterface({ input: process.stdin })
  .on('line', line => execute(JSON.parse(line) as ControllerCommand))
  // The campaign has ended.
  .on('close', () => process.exit());
print({ ready: true });
flushCompileCache();
