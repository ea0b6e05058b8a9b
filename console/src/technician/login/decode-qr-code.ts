import { decodeQR } from 'qr/decode.js';

/** Returns null without a readable QR code. */
export const decodeQrCode = (image: ImageData): string | null => {
  try {
    return decodeQR(image);
  } catch {
    return null;
  }
};
