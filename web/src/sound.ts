// Small sounds, made here with the Web Audio API: wood, water, paper, a bell.
import { settings } from "./settings.svelte";

type Sound = "move" | "take" | "place" | "card" | "splash" | "turn" | "win" | "lose" | "refuse";

let context: AudioContext | undefined;

/** A tone that swells quickly and dies away. */
function tone(at: number, pitch: number, seconds: number, loud: number, shape: OscillatorType = "sine", to = pitch): void {
  if (!context) return;
  const voice = context.createOscillator();
  const volume = context.createGain();
  voice.type = shape;
  voice.frequency.setValueAtTime(pitch, at);
  voice.frequency.exponentialRampToValueAtTime(to, at + seconds);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  voice.connect(volume).connect(context.destination);
  voice.start(at);
  voice.stop(at + seconds + 0.02);
}

/** A breath of noise around a pitch. */
function noise(at: number, pitch: number, seconds: number, loud: number): void {
  if (!context) return;
  const length = Math.ceil(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index++) samples[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 2;
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const volume = context.createGain();
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(context.destination);
  source.start(at);
}

const SOUNDS: Record<Sound, (at: number) => void> = {
  move: (at) => (noise(at, 900, 0.07, 0.5), tone(at, 190, 0.09, 0.18, "triangle", 120)),
  take: (at) => (noise(at, 600, 0.12, 0.7), tone(at, 150, 0.16, 0.3, "triangle", 70)),
  place: (at) => (noise(at, 1300, 0.05, 0.4), tone(at, 260, 0.1, 0.16, "triangle", 180)),
  card: (at) => noise(at, 3200, 0.12, 0.35),
  splash: (at) => (noise(at, 1800, 0.28, 0.4), tone(at, 520, 0.18, 0.06, "sine", 240)),
  turn: (at) => (tone(at, 660, 0.16, 0.07), tone(at + 0.09, 880, 0.22, 0.06)),
  win: (at) => [523, 659, 784, 1047].forEach((pitch, step) => tone(at + step * 0.12, pitch, 0.5, 0.09)),
  lose: (at) => [440, 392, 330].forEach((pitch, step) => tone(at + step * 0.17, pitch, 0.5, 0.07)),
  refuse: (at) => tone(at, 170, 0.14, 0.1, "triangle", 140),
};

export function play(sound: Sound): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[sound](context.currentTime);
}
