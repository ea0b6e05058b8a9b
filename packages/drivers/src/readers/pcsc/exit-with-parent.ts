import koffi from 'koffi';

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

const end = (): void => void process.kill(process.pid, 'SIGKILL');

/** Works even while a call into PC/SC blocks this process, so that it cannot notice the closed channel. */
const askKernel = (): void => {
  if (process.platform !== 'linux') return;
  // Variadic in C; on the supported 64-bit systems its second argument is passed like any other.
  const prctl = koffi.load('libc.so.6').func('int prctl(int option, unsigned long value)');
  prctl(PR_SET_PDEATHSIG, SIGKILL);
};

export const exitWithParent = (): void => {
  process.on('disconnect', end);
  askKernel();
  if (!process.connected) end();
};
