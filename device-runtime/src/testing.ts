/** What tests outside this package use of it. Production code does not import it. */
export { createAccessChecker } from './testing/access-decisions.ts';
export { openEventStore, saveMemberIndexOf, writeSnapshot } from './testing/data-folder.ts';
export { createSingleDoorSnapshot, DoorHarness, testCredentialDigester } from './testing/door-harness.ts';
export {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
} from './testing/snapshot-entries.ts';
export type { DigestKeySource } from './credentials/digest-key-source-interface.ts';
export { SelectedProfileFile } from './profile/selected-profile.ts';
export type { ControllerStateKey, ControllerStateStore } from './state/controller-state-keys.ts';
export { createLogWithTail } from './technician/log-tail.ts';
export {
  startTechnicianServer,
  type TechnicianServer,
  type TechnicianServerOptions,
} from './technician/technician-server.ts';
// Parts that a test drives by themselves, with a modelled disk and network.
export { EventLog } from './events/event-log.ts';
export { EventQueues } from './events/event-queues.ts';
export { EventSequenceAllocator, readSavedEventNumbering } from './events/event-sequence-allocator.ts';
export { EventStore, EventStoreError } from './events/event-store.ts';
export type { EventNumber, LastEventNumber } from './events/last-number-file.ts';
export type { LostSequenceRange } from './events/lost-ranges.ts';
export type { UnwrittenCopy } from './events/unwritten-copy.ts';
export { UnwrittenEvents } from './events/unwritten-events.ts';
export { ControllerFaultRegistry } from './faults/controller-fault-registry.ts';
export { RetryingStateStore } from './state/retrying-state-store.ts';
