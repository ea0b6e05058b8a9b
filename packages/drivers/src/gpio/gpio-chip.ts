import { getErrorCode } from '@lintel/service/error-code';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { GPIO_CHIP_INFO_BYTES, decodeGpioChipInfo, GPIO_IOCTL_GET_CHIP_INFO } from './gpio-abi.ts';

/**
 * Labels of the chip, because chip numbers change with the kernel and the order of plugging. The first chip with one
 * of these labels is used.
 */
export type GpioChipLabels = readonly string[];

const infoOf = (calls: DeviceSystemCalls, fd: number) => {
  const bytes = Buffer.alloc(GPIO_CHIP_INFO_BYTES);
  calls.ioctl(fd, GPIO_IOCTL_GET_CHIP_INFO, bytes);
  return decodeGpioChipInfo(bytes);
};

/** Returns the open descriptor of the chip. Throws if no chip has one of these labels. */
export const openGpioChip = (calls: DeviceSystemCalls, labels: GpioChipLabels): number => {
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
  const code = getErrorCode(refusal);
  if (code === 'EACCES' || code === 'EPERM') throw refusal as Error;
  throw new Error(`No GPIO chip has the label ${labels.join(' or ')}`);
};
