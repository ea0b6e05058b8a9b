interface NamedPart {
  readonly id: string;
  readonly name: string;
}

/** A gadget that exists only in the bridge. */
export interface SimulatorVirtualGadgetView {
  readonly gadget_id: string;
  readonly name: string;
  /** Null if the gadget has no states. */
  readonly state: NamedPart | null;
  readonly actions: readonly NamedPart[];
  readonly signals: readonly NamedPart[];
}

/** A device without hardware: the bridge performs its actions, and a person sends its signals. */
export interface SimulatorVirtualDeviceView {
  readonly key: string;
  readonly name: string;
  readonly site: string;
  readonly gadgets: readonly SimulatorVirtualGadgetView[];
}
