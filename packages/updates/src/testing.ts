/** What tests outside this package use of it. Production code does not import it. */
// The steps of an update, which a test interrupts one by one.
export { decideAndSaveProgramLaunch, type ProgramLaunchPlan } from './decide-and-save-program-launch.ts';
export { type FetchReleaseOptions, fetchRelease } from './fetch-release.ts';
export { confirmCandidateInSlots, rollBackCandidateInSlots } from './update-slot-state.ts';
export { verifyAndUnpackRelease } from './verify-and-unpack-release.ts';
