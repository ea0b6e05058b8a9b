import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkProfile } from '@lintel/hardware-profiles/profile-schema';
import { createSimulatedController } from '../main.ts';
import type { Log } from '../ports/log.ts';

const usage = `lintel device --profile FILE --data DIR

Runs the firmware of a door controller. When it serves it prints one line of JSON.

  --profile FILE   the product, see \`lintel profile list\`; laptop-simulator has simulated parts
  --data DIR       slice, events, keys and state; made at first start, keep it private

  npx lintel device --profile hardware-profiles/profiles/laptop-simulator.json --data .lintel/door
`;

const simulatedProducts = ['laptop-simulator', 'virtual'];

const toStderr: Log = (level, message, facts = {}) => {
  process.stderr.write(`${JSON.stringify({ level, message, ...facts })}\n`);
};

/** The product of a profile, or what is wrong with the file. */
const productOf = (file: string): { readonly product: string } | { readonly problem: string } => {
  try {
    const checked = checkProfile(JSON.parse(readFileSync(file, 'utf8')));
    if (checked.ok) return { product: checked.profile.product_id };
    return { problem: checked.problems.map(({ path, message }) => `${file}: ${path} ${message}`).join('\n') };
  } catch (error) {
    return { problem: `${file}: ${(error as Error).message}` };
  }
};

const serve = async (dataDir: string, product: string): Promise<void> => {
  const told = new Promise<void>(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const device = createSimulatedController({ dataDir, log: toStderr });
  const { deviceId } = device.controller.slice;
  process.stdout.write(`${JSON.stringify({ ready: true, product_id: product, device_id: deviceId })}\n`);
  await told;
  device.stop();
};

const complain = (message: string, code: 1 | 2): number => {
  process.stderr.write(code === 2 ? `${message}\n\n${usage}` : `${message}\n`);
  return code;
};

const run = async (args: readonly string[]): Promise<number> => {
  let values: { profile?: string | undefined; data?: string | undefined };
  try {
    ({ values } = parseArgs({ args: [...args], options: { profile: { type: 'string' }, data: { type: 'string' } } }));
  } catch (error) {
    return complain((error as Error).message, 2);
  }
  if (values.profile === undefined || values.data === undefined) return complain('--profile and --data are needed', 2);
  const read = productOf(values.profile);
  if ('problem' in read) return complain(read.problem, 1);
  if (!simulatedProducts.includes(read.product))
    return complain(`the parts of ${read.product} have no drivers yet; try laptop-simulator`, 1);
  await serve(values.data, read.product);
  return 0;
};

export const command = { usage, run };
