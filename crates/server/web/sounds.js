// Sounds, made on the spot: short, soft, and apart from drawing.

/** @type {AudioContext | null} */
let audio = null;

const SOUNDS = /** @type {Record<string, [number, number, OscillatorType][]>} */ ({
  move: [[220, 0.06, 'triangle']],
  capture: [[160, 0.08, 'square'], [90, 0.12, 'triangle']],
  crown: [[440, 0.1, 'sine'], [660, 0.16, 'sine']],
  refused: [[120, 0.12, 'sawtooth']],
  end: [[330, 0.15, 'sine'], [262, 0.15, 'sine'], [196, 0.3, 'sine']],
});

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [pitch, length, type] of SOUNDS[name]) {
    const tone = new OscillatorNode(audio, { frequency: pitch, type });
    const volume = new GainNode(audio, { gain: 0.12 });
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
