export const readerAssignmentHeading = 'Assign the card readers';
export const readerAssignmentHint =
  'The readers look the same to the controller. Assign each one by holding any card at it. The card opens nothing.';
export const notAssignedText = 'not assigned';
export const usbPortText = (port: string) => `USB port ${port}`;
export const assignReaderButton = 'Assign by card';
export const holdCardAtReaderPrompt = (station: string) => (time: string) =>
  `Hold a card at the reader of ${station}: ${time}`;
export const readerAssignedText = (reader: string, port: string) => `${reader} is the reader at USB port ${port}.`;
export const readerUnassignedText = (reader: string) => `${reader} has no reader now. Assign it again.`;
export const unknownPlaceText =
  'This reader does not tell its USB port. Use readers of different models, and name them in the profile.';
export const noPcscServiceText = 'The card reader service (pcscd) does not respond. Restart the controller.';
