import { getErrorCode } from '../error-code.ts';
import { describeSystemError } from './describe-system-error.ts';

/**
 * Keeps the process alive when its output cannot be written. A reader that has closed the pipe, such as `head`, is no error.
 * `onLost` is called once if a result is lost, as on a full disk.
 */
export const handleOutputErrors = (
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  onLost: () => void,
): void => {
  // A log that cannot be written does not stop a service.
  stderr.on('error', () => undefined);
  let isReported = false;
  stdout.on('error', error => {
    if (isReported || getErrorCode(error) === 'EPIPE') return;
    isReported = true;
    stderr.write(`The output cannot be written: ${describeSystemError(error, 'stdout')}\n`);
    onLost();
  });
};
