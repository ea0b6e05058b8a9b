/** Why a part fails. `absent`: unplugged; `broken`: responds incorrectly; `tampered`: opened by force. */
export interface PartFault {
  readonly kind: 'absent' | 'broken' | 'tampered';
  readonly message: string;
}

/**
 * Called with a fault when it begins and with null when it ends, so that hot plugging clears it. Combined parts name
 * the part concerned; each has its own faults.
 */
export type PartFaultListener = (fault: PartFault | null, part?: string) => void;
