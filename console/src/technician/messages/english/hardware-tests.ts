import { capitalize } from '../../../components/texts/capitalize.ts';
import { formatCount } from '../../../components/texts/format-count.ts';

export const hardwareTestsHeading = 'Tests';
export const hardwareTestsIntroText = 'Test each part and record the result for the report.';
export const testProgressText = (done: number, all: number) => `${done} of ${all} done`;
export const testNotRunText = 'not run';
export const testAwaitsResultText = 'run, awaiting result';
export const markTestPassedButton = 'Pass';
export const markTestPassedAndContinueButton = 'Works, next';
export const runTestFirstText = 'Run the test first. A test that did not run can only be skipped.';
export const testPositionHeading = (number: number, all: number) => `Test ${number} of ${all}`;
export const nextTestButton = 'Next test';
export const showAllTestsButton = 'Show all tests';
export const showGuidedTestsButton = 'One test at a time';
export const allTestsDoneText = 'All tests are done. Print the report.';
export const markTestFailedButton = 'Fail';
export const markTestSkippedButton = 'Skip';
export const hardwareTestGroupNames = {
  doors: 'Doors and gadgets',
  outputs: 'Relays, lights and buzzers',
  stations: 'Keypads and readers',
  inputs: 'Contacts and buttons',
  power: 'Power supply',
  health: 'Network, clock and hardware',
};
export const pulseOutputButton = 'Pulse';
export const outputWasPulsedText = 'The output was on for half a second.';
export const actionExecutedText = 'Done. Did it move?';
export const inputRuleTestTitle = (action: string) => `Keypad rule: ${action}`;
export const selfTestButton = 'Run the self-test';
export const selfTestSummaryText = (passed: number, failed: number, notRun: number) =>
  `${formatCount(passed, 'check', 'checks')} passed, ${failed} failed, ${notRun} not run. Saved in the report.`;
export const readCardButton = 'Read a card';
export const phoneWasReadText = 'A phone was read.';
export const qrCodeWasReadText = 'The QR code of a magic link was read.';
export const uidShownOnceText = 'Shown once, not stored.';
export const keypadTestTitle = (station: string) => `Keypad ${station}`;
export const keypadTestHint = 'Press all keys. Each key appears here.';
export const pressedKeyCountText = (count: number) => formatCount(count, 'key', 'keys');
export const readerTestTitle = (station: string) => `Reader ${station}`;
export const readerReplacementTitle = (reader: string) => `Replacement of reader ${reader}`;
export const feedbackTestTitle = (station: string) => `Lights and buzzer ${station}`;
export const feedbackPatternNames = { granted: 'Granted', denied: 'Denied' };
export const patternIsPlayingText = 'Playing. Check the lights and the buzzer.';
export const inputTestTitle = (input: string, role: string | null) =>
  role === null || role === input ? `Input ${input}` : `${capitalize(role.replaceAll('_', ' '))} (${input})`;
export const inputTestHint = 'Open and close the contact. The change appears here.';
export const currentInputLevelText = (level: string) => `now ${level}`;
export const inputChangeCountText = (count: number) => `changed ${formatCount(count, 'time', 'times')}`;
export const outputTestTitle = (output: string, role: string | null) =>
  role === null || role === output ? `Output ${output}` : `${capitalize(role.replaceAll('_', ' '))} (${output})`;
export const powerPresentText = 'yes';
export const powerAbsentText = 'no';
export const powerNotMonitoredText = 'not monitored';
export const powerStateSummaryText = (mains: string, battery: string) => `Mains ${mains}, battery ${battery}`;
export const batteryChargingText = 'charging';
export const batteryPercentText = (percent: number) => `${percent} %`;
export const powerTestHint = 'Unplug the mains for a moment. The controller must keep running.';
export const testNoteLabel = (test: string) => `Note on ${test}`;
export const controllerObservationText = (what: string) => `Controller: ${what}`;
