export const controllersHeading = 'Controllers';
export const noControllersText = 'No claimed controllers at this site yet.';
export const noSitesText = 'You have no sites yet. Ask an administrator for access.';
export const onlineStatusText = 'online';
export const offlineStatusText = 'offline';
export const offlineAccessHeading = 'Working offline';
export const offlineAccessHint =
  'Open a controller on its network while your phone is online. Its page keeps a technician pass in this browser and works without internet for 24 hours. To claim a controller there, get its claim ticket before you leave.';
export const claimTicketHeading = 'Claim ticket';
export const addControllerButton = 'Add a controller';
export const replaceControllerButton = 'Replace';
export const replaceControllerLabel = (name: string) => `Replace the hardware of ${name}`;
export const notClaimedText = 'not claimed yet';
export const claimDeviceButton = 'Claim';
export const claimDeviceLabel = (name: string) => `Claim a controller for ${name}`;
export const claimCodeHint = (bridge: string) =>
  `If the controller is online, type this code and the address ${bridge} on its page:`;
export const claimTicketHint = 'If it is offline, copy this ticket to its page:';
export const shareButton = 'Share';
export const bridgeUnreachableText = (bridge: string) =>
  `No controller can reach this bridge: ${bridge} works on its own machine only. Start it with "lintel bridge --lan" or with --public-url.`;
export const copyButton = 'Copy';
export const copiedNotice = 'Copied';
export const technicianPassRequestHeading = (name: string | null) =>
  name === null ? 'Sign in at a controller' : `Sign in at ${name}`;
export const technicianPassRequestHint = (site: string, origin: string) =>
  `The page ${origin} of this controller at ${site} asks for a technician pass. It is valid for 24 hours, at this controller and in this browser only.`;
export const continueSignInButton = 'Continue';
export const addressNotReportedByControllerText =
  'The controller has not reported the address that you came from. Do not sign in there. Open the controller at one of its own addresses:';
export const noAccessToControllerText =
  'You have no access to this controller. Ask an administrator for the technician role at its site.';
export const openLocalTechnicianPageLink = (name: string) => `Open ${name} on the local network`;
