const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied. Run the command with sudo',
  EPERM: 'permission denied. Run the command with sudo',
  EROFS: 'the disk is read-only, or became read-only after an error. See dmesg',
  ENOSPC: 'the disk is full',
  EISDIR: 'is a folder, but must be a file',
  ENOTDIR: 'a part of this path is not a directory',
  EIO: 'the disk reports errors',
};

/** The path and an explanation. For any other error its own message. `file` is for errors of reads, which lack the path. */
export const describeSystemError = (error: unknown, file?: string): string => {
  const { code = '', path = file, message } = error as NodeJS.ErrnoException;
  const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  return explanation === undefined || path === undefined ? message : `${path}: ${explanation}`;
};
