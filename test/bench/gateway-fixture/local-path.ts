import { FirmwareGatewaySite } from '../../support/devices/firmware-gateway-site.ts';

const OPENINGS = 300;
const WARM_UP = 30;

/**
 * With the cloud cut off: from the last digit at one controller to the relay of another, through the gateway between
 * them. In milliseconds, each of them.
 */
export const localPathTimes = async (): Promise<number[]> => {
  const site = await FirmwareGatewaySite.open();
  const [reader, owner] = [await site.claimController(), await site.claimController()];
  await site.setInputRule(reader, '*7', owner.gadgetId);
  await site.createMember(await site.createGroup(owner.gadgetId), { pin: '2580' });
  await site.start(reader, owner);
  await site.cutLink();
  const times: number[] = [];
  for (let count = 0; count < WARM_UP + OPENINGS; count++) {
    const moved = new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the door does not open: ${owner.logged.join('\n')}`)), 10_000);
      owner.running.outputs.onChange(({ output, on }) => {
        if (output !== 'strike-0' || !on) return;
        clearTimeout(late);
        resolve(performance.now());
      });
    });
    reader.running.keypad.press('*7258');
    const start = performance.now();
    reader.running.keypad.press('0');
    const took = (await moved) - start;
    if (count >= WARM_UP) times.push(took);
  }
  await site.close();
  return times;
};
