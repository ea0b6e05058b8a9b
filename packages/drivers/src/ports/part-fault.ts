/** Why a part at the door does not do its work. `absent`: unplugged; `broken`: it answers wrongly; `tampered`: opened by force. */
export interface PartFault {
  readonly kind: 'absent' | 'broken' | 'tampered';
  readonly message: string;
}

/**
 * Parts report a fault when it begins and null when it is over, so that hot plugging heals by itself. What is joined from
 * several parts says which of them it is, each with faults of its own.
 */
export type FaultListener = (fault: PartFault | null, part?: string) => void;
