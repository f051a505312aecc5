/** The sound of touching something: short, low, once on entering. */

const HERTZ = 196;
/** Of the end of what an arm can do: higher, so that both are told apart. */
export const EDGE_HERTZ = 330;
const SECONDS = 0.22;
const LOUDNESS = 0.12;

export class TouchSound {
  #context: AudioContext | null = null;
  #touched = false;

  constructor(private readonly hertz = HERTZ) {}

  /** Tell whether something is touched now; return whether it sounded. */
  update(touches: boolean, muted: boolean): boolean {
    const enters = touches && !this.#touched;
    this.#touched = touches;
    if (!enters || muted) return false;
    this.#play();
    return true;
  }

  dispose(): void {
    void this.#context?.close();
    this.#context = null;
  }

  #play(): void {
    try {
      this.#context ??= new AudioContext();
    } catch {
      // No sound on this machine; what is seen says the same.
      return;
    }
    const { currentTime, destination } = this.#context;
    const tone = this.#context.createOscillator();
    const loudness = this.#context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(this.hertz, currentTime);
    loudness.gain.setValueAtTime(LOUDNESS, currentTime);
    loudness.gain.exponentialRampToValueAtTime(0.001, currentTime + SECONDS);
    tone.connect(loudness).connect(destination);
    tone.start();
    tone.stop(currentTime + SECONDS);
  }
}
