const shapes = {
  card: 'M3.5 6.5h17v11h-17zM3.5 10h17M6.5 14.5h4',
  phone: 'M8 2.8h8a1 1 0 0 1 1 1v16.4a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V3.8a1 1 0 0 1 1-1zM11 18.4h2',
  keypad: 'M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01',
  exit: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  force: 'M13 2.5 5 13.5h6l-1 8 8-11h-6z',
  hand: 'M8 12.5V6a1.5 1.5 0 0 1 3 0v5M11 10V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v8a6 6 0 0 1-6 6.5c-3 0-4.3-1.6-5.5-4L4 13.3a1.4 1.4 0 0 1 2.4-1.4L8 14',
  close: 'M14 21V3H4v18M2 21h20M14 5l4-1v17M11 12v1',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
  silence: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  cross: 'm7 7 10 10M17 7 7 17',
  play: 'M8 5.5v13l10.5-6.5z',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10.5 20.5h3',
  plug: 'M9 3v5M15 3v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4',
  battery: 'M3.5 8h14v8h-14zM20.5 11v2M6.5 11v2M9.5 11v2',
  wave: 'M8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M5.5 18.5a9.2 9.2 0 0 1 0-13M18.5 5.5a9.2 9.2 0 0 1 0 13M12 12h.01',
  door: 'M6 21V3.5h12V21M3 21h18M14.5 12v1',
  fault: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2h.01',
  shown:
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
} as const;

export type Shape = keyof typeof shapes;

export const Icon = ({ shape }: { readonly shape: Shape }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={shapes[shape]} />
  </svg>
);
