import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { Dialog } from '../../components/dialog.tsx';
import * as shellMessages from '../messages/english/shell.ts';
import * as scannerMessages from '../messages/english/qr-code-scanner.ts';
import { decodeQrCode } from './decode-qr-code.ts';

const SCAN_INTERVAL_MS = 200;
const MAX_SIDE = 800;

const canScan = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function';

/** Returns null without a readable QR code. */
const scanFrame = (video: HTMLVideoElement, canvas: HTMLCanvasElement): string | null => {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(videoWidth, videoHeight));
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return decodeQrCode(context.getImageData(0, 0, canvas.width, canvas.height));
};

interface ScannerProps {
  readonly onScan: (text: string) => void;
  readonly onClose: () => void;
}

/** The camera runs only while this is open. Its images stay in the page. */
const Scanner = ({ onScan, onClose }: ScannerProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const [hasCamera, setHasCamera] = useState(true);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isClosed = false;
    const stop = (): void => stream?.getTracks().forEach(track => track.stop());
    const canvas = document.createElement('canvas');
    const timer = setInterval(() => {
      const text = video.current === null ? null : scanFrame(video.current, canvas);
      if (text !== null && !isClosed) onScan(text);
    }, SCAN_INTERVAL_MS);
    const start = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isClosed || video.current === null) return stop();
      video.current.srcObject = stream;
      await video.current.play();
    };
    start().catch(() => setHasCamera(false));
    return () => {
      isClosed = true;
      clearInterval(timer);
      stop();
    };
  }, []);
  return (
    <Dialog label={scannerMessages.scanButton} onClose={onClose}>
      <h2>{scannerMessages.scannerHeading}</h2>
      <video ref={video} class="camera" muted playsInline />
      <p role="status">
        {hasCamera ? scannerMessages.qrCodeScanInProgressText : scannerMessages.cameraNotAvailableText}
      </p>
      <Button onPress={onClose}>{shellMessages.cancelButton}</Button>
    </Dialog>
  );
};

/** Hidden where the browser provides no camera. */
export const QrCodeScanButton = ({ onScan }: { readonly onScan: (text: string) => void }) => {
  const [isOpen, setOpen] = useState(false);
  if (!canScan()) return null;
  return (
    <>
      <Button icon={icons.cameraIcon} onPress={() => setOpen(true)}>
        {scannerMessages.scanButton}
      </Button>
      {isOpen ? (
        <Scanner
          onScan={text => {
            setOpen(false);
            onScan(text);
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
};
