/* SVG paths with a 24 by 24 view box. One constant each, so that a page contains only the icons it uses. */
export const cardIcon = 'M3.5 6.5h17v11h-17zM3.5 10h17M6.5 14.5h4';
export const phoneIcon = 'M8 2.8h8a1 1 0 0 1 1 1v16.4a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V3.8a1 1 0 0 1 1-1zM11 18.4h2';
export const keypadIcon = 'M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01';
export const qrCodeIcon =
  'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM7 7h.01M17 7h.01M7 17h.01M14 14h2.5v2.5M20 14v.01M14 20h.01M17.5 20H20v-2.5';
export const exitIcon = 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9';
export const lightningIcon = 'M13 2.5 5 13.5h6l-1 8 8-11h-6z';
export const handIcon =
  'M8 12.5V6a1.5 1.5 0 0 1 3 0v5M11 10V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v8a6 6 0 0 1-6 6.5c-3 0-4.3-1.6-5.5-4L4 13.3a1.4 1.4 0 0 1 2.4-1.4L8 14';
export const closeDoorIcon = 'M14 21V3H4v18M2 21h20M14 5l4-1v17M11 12v1';
export const soundOnIcon = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11';
export const soundOffIcon = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5';
export const checkMarkIcon = 'm5 12.5 4.5 4.5L19 7.5';
export const crossMarkIcon = 'm7 7 10 10M17 7 7 17';
export const playIcon = 'M8 5.5v13l10.5-6.5z';
export const bellIcon = 'M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10.5 20.5h3';
export const plugIcon = 'M9 3v5M15 3v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4';
export const batteryIcon = 'M3.5 8h14v8h-14zM20.5 11v2M6.5 11v2M9.5 11v2';
export const radioWavesIcon =
  'M8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M5.5 18.5a9.2 9.2 0 0 1 0-13M18.5 5.5a9.2 9.2 0 0 1 0 13M12 12h.01';
export const doorIcon = 'M6 21V3.5h12V21M3 21h18M14.5 12v1';
export const faultIcon = 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2h.01';
export const eyeIcon =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z';
export const homeIcon = 'M4 11.5 12 4l8 7.5M6.5 9.5V20h11V9.5M10.5 20v-5.5h3V20';
export const keyIcon = 'M14.5 13.5a4.5 4.5 0 1 0-4.2-2.9L4 17v3h3v-2h2v-2h2l1-1.2a4.5 4.5 0 0 0 2.5-1.3zM15.5 8.5h.01';
export const reportIcon = 'M6 3h8.5L19 7.5V21H6zM14 3v5h5M9 12.5h7M9 16.5h7';
export const addIcon = 'M12 5v14M5 12h14';
export const undoIcon = 'M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-4';
export const redoIcon = 'M15.5 5 20 9.5 15.5 14M19.5 9.5H10a5.5 5.5 0 0 0 0 11h4';
export const deleteIcon = 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.5 11v5.5M13.5 11v5.5';
export const cameraIcon = 'M3.5 7.5h4l1.5-2.5h6l1.5 2.5h4v11.5h-17zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z';
export const printIcon = 'M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z';
export const downloadIcon = 'M12 4v11M7.5 11 12 15.5l4.5-4.5M4.5 20h15';
export const uploadIcon = 'M12 15.5v-11M7.5 9 12 4.5 16.5 9M4.5 20h15';
export const copyIcon = 'M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4';
export const nextArrowIcon = 'm9 5 7 7-7 7';
export const pauseIcon = 'M8.5 5.5v13M15.5 5.5v13';
export const menuIcon = 'M4 7h16M4 12h16M4 17h16';
export const chevronsIcon = 'm8 9 4-4 4 4M8 15l4 4 4-4';
export const personIcon = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6';
export const peopleIcon =
  'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.6-3.4 3.2-5.2 6.5-5.2s5.9 1.8 6.5 5.2M15.5 4.9a3.5 3.5 0 0 1 0 6.3M18 14.9c2 .8 3.1 2.4 3.5 4.6';
export const searchIcon = 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20.5 20.5';
export const clockIcon = 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5v5l3 2';
export const linkIcon =
  'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 1 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 1 0 11 18.7l1-1';
export const mailIcon = 'M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5';
export const listIcon = 'M8.5 6.5h12M8.5 12h12M8.5 17.5h12M4 6.5h.01M4 12h.01M4 17.5h.01';
export const questionIcon =
  'M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17.5h.01M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z';
export const editIcon = 'M4.5 19.5h3.2L18.8 8.4l-3.2-3.2L4.5 16.3zM13.5 7.3l3.2 3.2';
export const controllerIcon = 'M5 3.5h14v17H5zM9 7.5h6M9 11h6M9 16.5h.01M12 16.5h.01M15 16.5h.01';
export const codeIcon = 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5M13.5 5l-3 14';
export const settingsIcon =
  'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM7 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0z';
export const lampIcon = 'M9 18h6M10 21h4M8.5 14.5a5.8 5.8 0 1 1 7 0c-.6.5-.9 1-1 1.8h-5c-.1-.8-.4-1.3-1-1.8z';
export const switchIcon = 'M5 7.5h14v9H5zM9 12h.01M13 12h3';
