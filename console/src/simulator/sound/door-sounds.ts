const BUZZER_HZ = 2300;
const BUZZER_GAIN = 0.04;
const FADE_S = 0.012;
const STORAGE_KEY = 'lintel-simulator-muted';

const readMuted = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'yes';
  } catch {
    return false;
  }
};

const storeMuted = (isMuted: boolean): void => {
  try {
    localStorage.setItem(STORAGE_KEY, isMuted ? 'yes' : 'no');
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
};

/** The sounds of buzzer and bolt. Browsers allow sound only after a user gesture. */
export class DoorSounds {
  #context: AudioContext | null = null;
  #buzzer: GainNode | null = null;
  #isBuzzing = false;
  isMuted = readMuted();

  /** Call it from the handler of a user gesture. */
  start(): void {
    if (this.#context !== null || this.isMuted) return;
    const context = new AudioContext();
    const tone = new OscillatorNode(context, { type: 'square', frequency: BUZZER_HZ });
    const buzzer = new GainNode(context, { gain: 0 });
    tone.connect(buzzer).connect(context.destination);
    tone.start();
    this.#context = context;
    this.#buzzer = buzzer;
  }

  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
    storeMuted(isMuted);
    this.start();
    this.#updateBuzzer();
  }

  setBuzzer(isOn: boolean): void {
    this.#isBuzzing = isOn;
    this.#updateBuzzer();
  }

  #updateBuzzer(): void {
    if (this.#context === null) return;
    const level = this.#isBuzzing && !this.isMuted ? BUZZER_GAIN : 0;
    this.#buzzer?.gain.setTargetAtTime(level, this.#context.currentTime, FADE_S);
  }

  playBolt(): void {
    const context = this.#context;
    if (context === null || this.isMuted) return;
    const now = context.currentTime;
    const tone = new OscillatorNode(context, { type: 'triangle', frequency: 140 });
    const gain = new GainNode(context, { gain: 0.16 });
    tone.frequency.exponentialRampToValueAtTime(60, now + 0.09);
    gain.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
    tone.connect(gain).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.13);
  }
}
