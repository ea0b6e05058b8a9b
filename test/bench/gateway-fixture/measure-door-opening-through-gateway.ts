import { FirmwareSiteWithGateway } from '../../support/devices/firmware-gateway-site.ts';
import { scaled } from '../harness/benchmark-types-and-statistics.ts';

const OPENINGS = scaled(300, 10);
const WARM_UP = scaled(30, 2);

/**
 * Milliseconds from the last digit at one controller to the relay of another, through the gateway and without a link to the
 * bridge.
 */
export const measureLocalPath = async (): Promise<number[]> => {
  const site = await FirmwareSiteWithGateway.open();
  const [reader, owner] = [await site.claimController(), await site.claimController()];
  await site.setInputRule(reader, '*7', owner.gadgetId);
  await site.createMember(await site.createGroup(owner.gadgetId), { pin: '2580' });
  await site.start(reader, owner);
  await site.cutLink();
  const times: number[] = [];
  for (let count = 0; count < WARM_UP + OPENINGS; count++) {
    const unlocked = new Promise<number>((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error(`The door did not open: ${owner.logged.join('\n')}`)), 10_000);
      owner.running.outputs.onChange(({ output, on }) => {
        if (output !== 'strike-0' || !on) return;
        clearTimeout(timeout);
        resolve(performance.now());
      });
    });
    reader.running.keypad.press('*7258');
    const start = performance.now();
    reader.running.keypad.press('0');
    const took = (await unlocked) - start;
    if (count >= WARM_UP) times.push(took);
  }
  await site.close();
  return times;
};
