import { type DeviceCalls, errorCode } from '@lintel/service/linux/device-calls';
import { CHIP_INFO_BYTES, chipInfo, GET_CHIP_INFO } from './gpio-abi.ts';

/** By label: numbers of chips change with the kernel and with the order of plugging. The first of several that is there. */
export type ChipLabels = readonly string[];

const infoOf = (calls: DeviceCalls, fd: number) => {
  const bytes = Buffer.alloc(CHIP_INFO_BYTES);
  calls.ioctl(fd, GET_CHIP_INFO, bytes);
  return chipInfo(bytes);
};

/** The descriptor of the chip, open. Throws when there is none of these labels. */
export const openChip = (calls: DeviceCalls, labels: ChipLabels): number => {
  let refusal: unknown = null;
  for (const name of calls.list('/dev').filter(one => /^gpiochip\d+$/.test(one))) {
    try {
      const fd = calls.open(`/dev/${name}`);
      if (labels.includes(infoOf(calls, fd).label)) return fd;
      calls.close(fd);
    } catch (error) {
      refusal = error;
    }
  }
  const code = errorCode(refusal);
  if (code === 'EACCES' || code === 'EPERM') throw refusal as Error;
  throw new Error(`there is no GPIO chip with the label ${labels.join(' or ')}`);
};
