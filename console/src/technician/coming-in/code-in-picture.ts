import { decodeQR } from 'qr/decode.js';

/** The text of the QR code in a picture; null when there is none that can be read. */
export const codeInPicture = (picture: ImageData): string | null => {
  try {
    return decodeQR(picture);
  } catch {
    return null;
  }
};
