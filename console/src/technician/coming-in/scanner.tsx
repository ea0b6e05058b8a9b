import { useEffect, useRef, useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { Dialog } from '../frame/dialog.tsx';
import * as frameWords from '../words/english/frame-words.ts';
import * as scanWords from '../words/english/scan-words.ts';
import { codeInPicture } from './code-in-picture.ts';

const LOOK_MS = 200;
const LARGEST_SIDE = 800;

const canScan = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function';

/** Null when there is no code in the picture. */
const codeIn = (video: HTMLVideoElement, canvas: HTMLCanvasElement): string | null => {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return null;
  const scale = Math.min(1, LARGEST_SIDE / Math.max(videoWidth, videoHeight));
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (drawing === null) return null;
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  return codeInPicture(drawing.getImageData(0, 0, canvas.width, canvas.height));
};

interface ScannerProps {
  readonly found: (text: string) => void;
  readonly close: () => void;
}

/** The camera runs only while this is open, and its pictures leave the page as little as they enter it. */
const Scanner = ({ found, close }: ScannerProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const [isBlind, setBlind] = useState(false);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    const stop = (): void => stream?.getTracks().forEach(track => track.stop());
    const canvas = document.createElement('canvas');
    const timer = setInterval(() => {
      const text = video.current === null ? null : codeIn(video.current, canvas);
      if (text !== null && !isOver) found(text);
    }, LOOK_MS);
    const look = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isOver || video.current === null) return stop();
      video.current.srcObject = stream;
      await video.current.play();
    };
    look().catch(() => setBlind(true));
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, []);
  return (
    <Dialog label={scanWords.start} close={close}>
      <h2>{scanWords.heading}</h2>
      <video ref={video} class="camera" muted playsInline />
      <p role="status">{isBlind ? scanWords.noCamera : scanWords.waiting}</p>
      <Press press={close}>{frameWords.cancel}</Press>
    </Dialog>
  );
};

/** Nothing where there is no camera to use. */
export const ScanButton = ({ found }: { readonly found: (text: string) => void }) => {
  const [isOpen, setOpen] = useState(false);
  if (!canScan()) return null;
  return (
    <>
      <Press icon={shapes.camera} press={() => setOpen(true)}>
        {scanWords.start}
      </Press>
      {isOpen ? (
        <Scanner
          found={text => {
            setOpen(false);
            found(text);
          }}
          close={() => setOpen(false)}
        />
      ) : null}
    </>
  );
};
