const LINE_FEED = 0x0a;
const LONGEST_HEADER = 1024;
const utf8 = new TextDecoder();

export interface PeerFrameHeader {
  readonly signer: string;
  readonly audience: string;
}

/** Reads sender and recipient from the header of a signed frame. The recipient verifies the frame itself. */
export const parsePeerFrameHeader = (frame: Uint8Array): PeerFrameHeader | null => {
  const end = frame.subarray(0, LONGEST_HEADER).indexOf(LINE_FEED);
  if (end < 0) return null;
  try {
    const { signer, audience } = JSON.parse(utf8.decode(frame.subarray(0, end))) as Partial<PeerFrameHeader>;
    return typeof signer === 'string' && typeof audience === 'string' ? { signer, audience } : null;
  } catch {
    return null;
  }
};
