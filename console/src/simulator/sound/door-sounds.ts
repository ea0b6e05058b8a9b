const BUZZER_HZ = 2300;
const QUIET = 0.04;
const FADE_S = 0.012;
const KEPT = 'lintel-simulator-muted';

const isMutedByChoice = (): boolean => {
  try {
    return localStorage.getItem(KEPT) === 'yes';
  } catch {
    return false;
  }
};

const remember = (isMuted: boolean): void => {
  try {
    localStorage.setItem(KEPT, isMuted ? 'yes' : 'no');
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
};

/** Buzzer and bolt. Silent until somebody touches the page: browsers want it so, and so do people. */
export class DoorSounds {
  #context: AudioContext | null = null;
  #buzzer: GainNode | null = null;
  #isBuzzing = false;
  isMuted = isMutedByChoice();

  /** From within a press or a touch. */
  awake(): void {
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
    remember(isMuted);
    this.awake();
    this.#sound();
  }

  buzz(isOn: boolean): void {
    this.#isBuzzing = isOn;
    this.#sound();
  }

  #sound(): void {
    if (this.#context === null) return;
    const level = this.#isBuzzing && !this.isMuted ? QUIET : 0;
    this.#buzzer?.gain.setTargetAtTime(level, this.#context.currentTime, FADE_S);
  }

  /** A bolt that lets go. */
  clunk(): void {
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
