/** What the system says with a code, and what can be done about it. */
const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not do that; with sudo it can be done',
  EPERM: 'this user may not do that; with sudo it can be done',
  EROFS: 'its disk is read-only, or was made so after an error: see dmesg',
  ENOSPC: 'its disk is full',
  EISDIR: 'it is a folder, and a file is needed',
  ENOTDIR: 'a part of this path is not a directory',
  EIO: 'its disk answers with errors',
};

/** With the place first; of any other error its own message. */
export const systemErrorInWords = (error: unknown): string => {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const words = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  return words === undefined || path === undefined ? message : `${path}: ${words}`;
};
