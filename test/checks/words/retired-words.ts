/** A word or phrase that is no longer used in code, texts and docs. */
export interface RetiredWord {
  readonly pattern: RegExp;
  readonly replacement: string;
}

const identifier = (names: string, replacement: string): RetiredWord => ({
  pattern: new RegExp(`\\b(?:${names})\\b`),
  replacement,
});

const phrase = (text: string, replacement: string): RetiredWord => ({ pattern: new RegExp(text, 'i'), replacement });

/** Names that a reader cannot understand without their comments. */
export const retiredNames: readonly RetiredWord[] = [
  identifier('Abreast', 'RevisionMonitor'),
  identifier('Retelling', 'RetryUntilAcknowledged'),
  identifier('Speaker', 'UplinkPublisher'),
  identifier('Conversations|conversationsOf', 'UplinkServices'),
  identifier('DownGate', 'DownlinkVerifier'),
  identifier('EventLanes?', 'EventQueues'),
  identifier('EventPump', 'EventUploader'),
  identifier('TimelyRequests', 'RequestFreshness'),
  identifier('Aftermath', 'PostDecisionTasks'),
  identifier('Judge|Judgement', 'AccessChecker, AccessDecision'),
  identifier('Performer', 'ActionExecutor'),
  identifier('RememberedMarks', 'PersistedDoorState'),
  identifier('KeptTime', 'TrustedClock'),
  identifier('KeptOpen', 'ReconnectingPart'),
  identifier('TolerantState', 'RetryingStateStore'),
  identifier('FaultBook', 'FaultRegistry'),
  identifier('PeerBook', 'PeerDirectory'),
  identifier('FrameBook', 'FrameIndex'),
  identifier('ServedBook', 'ServedRevisions'),
  identifier('ServedSlice', 'ActiveSnapshot'),
  identifier('DownShelf', 'OfflineDownlinkQueue'),
  identifier('Entrance', 'LoginService, ApiAuthentication'),
  identifier('FarVisits', 'RemoteTechnicianSessions'),
  identifier('inTurns', 'mapWithConcurrency'),
  identifier('WordRuns', 'WordAllocator'),
  identifier('hangOutSign', 'writeInstanceLock'),
  {
    pattern: /\bclass \w+(?:Refusal|Refused|Failure|Trouble)\b/,
    replacement: 'a class that is thrown ends in Error',
  },
];

/** Sentences that first-time users did not understand. */
export const retiredPhrases: readonly RetiredWord[] = [
  phrase('one word too many', 'Unexpected argument: x'),
  phrase('is no folder\\b', 'Not a directory: path'),
  phrase('does not do for this', 'This action requires …'),
  phrase('doors work on\\b', 'Offline. Doors keep working'),
  phrase('change hands', 'Transferring this controller?'),
  phrase('needs a look', 'needs attention'),
  phrase('make trouble', 'Simulate a fault'),
  phrase('unless told otherwise', 'default'),
  phrase('claim it anew', 'Claim again'),
  phrase('come in with', 'Sign in with'),
  phrase('what is built in', 'Hardware profile'),
  phrase('have to be mended', 'fix … first'),
  phrase('typed to its end', 'can never be reached'),
  phrase('go back by themselves', 'revert in 2 minutes'),
  phrase('tried, not judged', 'run, awaiting result'),
  phrase('none is looked at for a while', 'PIN entry locked'),
  phrase('for whoever helps you', 'For support'),
  phrase('nothing waits\\b', 'Nothing queued'),
  phrase('without both it dies', 'Shuts down without either'),
  phrase('no file of its process may grow', 'Blocks all disk writes'),
  phrase('tells of it\\b', 'is triggered'),
  phrase('nobody has it\\b', 'unknown PIN'),
  phrase('door is not theirs', 'No access to this door'),
  phrase('only who is near', 'Only people nearby'),
  phrase('whole nights in a moment', 'A whole night in seconds'),
  phrase('write it anew', 're-flash it'),
  phrase('begins anew', 'starts over'),
  phrase('--data is needed', '--data is required'),
  phrase('called wrongly', 'usage error'),
  phrase('a strange card', 'an unknown card'),
  phrase('in that answer only', 'shown once'),
  phrase('there is nothing at this address', 'Not found'),
  phrase('from afar', 'remotely'),
];
