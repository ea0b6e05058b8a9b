export const start = 'Scan a QR code';
export const heading = 'Hold the camera to the code';
export const noCamera = 'The camera cannot be used. Paste the text instead.';
export const waiting = 'Looking for a code…';
