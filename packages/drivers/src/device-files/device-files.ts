import { readdirSync, readFileSync, realpathSync } from 'node:fs';

/** The file system operations for finding a device. */
export interface DeviceFiles {
  list(folder: string): readonly string[];
  read(file: string): string;
  resolve(path: string): string;
}

export const systemDeviceFiles: DeviceFiles = {
  list: folder => readdirSync(folder),
  read: file => readFileSync(file, 'utf8').trim(),
  resolve: path => realpathSync(path),
};

/** The result, or `otherwise` if the file does not exist or cannot be read. */
export const readDeviceFileOrDefault = <T>(look: () => T, otherwise: T): T => {
  try {
    return look();
  } catch {
    return otherwise;
  }
};
