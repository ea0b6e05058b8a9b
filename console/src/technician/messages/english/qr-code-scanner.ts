export const scanButton = 'Scan a QR code';
export const scannerHeading = 'Point the camera at the QR code';
export const cameraNotAvailableText =
  'The camera is not available. Allow access to the camera, or paste the text instead.';
export const qrCodeScanInProgressText = 'Scanning…';
